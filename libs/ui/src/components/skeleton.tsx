import { classNames } from "./class-names.ts";

/** A placeholder of the same size as the content that is loading. */
export const Skeleton = ({ className }: { className?: string | undefined }) => (
  <span aria-hidden="true" className={classNames("ui-skeleton", className)} />
);
