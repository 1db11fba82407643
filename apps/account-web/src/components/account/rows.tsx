import type { ReactNode } from "react";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";

/** A list of things, each in a `Row`. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="flex flex-col divide-y">
    {children}
  </ul>
);

interface RowProps {
  /** A mark before the title. */
  mark?: ReactNode;
  title: ReactNode;
  /** Short facts, in paragraphs. */
  details?: ReactNode;
  /** Why the last action on it was refused. */
  error?: unknown;
  /** Buttons. */
  actions?: ReactNode;
}

/** One thing of a list, with its facts and what can be done with it. */
export const Row = ({ mark, title, details, error, actions }: RowProps) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 min-h-13 py-2.5 first:pt-0 last:pb-0">
    <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
      {mark}
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2 font-medium break-words">{title}</div>
        {details && <div className="text-sm break-words text-muted">{details}</div>}
      </div>
    </div>
    {actions && <div className="ui-compact flex flex-wrap gap-2">{actions}</div>}
    {Boolean(error) && (
      <div className="basis-full">
        <FormError error={error} />
      </div>
    )}
  </li>
);
