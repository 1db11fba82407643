import { classNames } from "./class-names.ts";
import { initialsOf } from "./initials-of.ts";

/** Shows initials. Profile pictures are not loaded, because they would reveal to their servers which user an admin views and when. */
export const Avatar = ({ name, className }: { name: string; className?: string }) => (
  <span
    aria-hidden="true"
    className={classNames(
      "inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-link select-none",
      className,
    )}
  >
    {initialsOf(name)}
  </span>
);
