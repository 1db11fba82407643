import { classNames } from "./class-names.ts";

/** A placeholder of the same size as the content that is loading. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden="true"
    className={classNames("block h-4 animate-pulse rounded bg-sunken", className)}
  />
);
