import { initialsOf } from "@latchkey/ui/components/initials-of.ts";

/** Shows initials. Pictures are not loaded, because the page makes no requests to others. */
export const Initials = ({ name }: { name: string }) => (
  <span
    aria-hidden="true"
    className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-sunken text-xs font-semibold text-ink select-none"
  >
    {initialsOf(name)}
  </span>
);
