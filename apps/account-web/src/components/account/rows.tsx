import { DropdownMenu } from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { EllipsisVertical } from "lucide-react";
import type { ReactNode } from "react";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useTranslation } from "../../languages.ts";

/** A list of things, each in a `Row`. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="-mb-2 flex flex-col divide-y">
    {children}
  </ul>
);

interface RowMenuProps {
  /** The thing on which the items act. */
  name: string;
  /** An action of the menu is pending. */
  isBusy?: boolean | undefined;
  children: ReactNode;
}

/** The menu at the end of a row. Its content is that of `DropdownMenu`. */
export const RowMenu = ({ name, isBusy, children }: RowMenuProps) => {
  const t = useTranslation("account");
  return (
    <DropdownMenu
      trigger={
        <IconButton label={t("actionsFor", { name })} isBusy={isBusy}>
          {!isBusy && <EllipsisVertical />}
        </IconButton>
      }
    >
      {children}
    </DropdownMenu>
  );
};

interface RowProps {
  /** A mark before the title. */
  mark?: ReactNode;
  /** The name. Shortened if it does not fit. */
  title: ReactNode;
  /** States, as badges after the title. */
  badges?: ReactNode;
  /** Facts in a few words. They stand at the end of the line, in a narrow window below the title, and are shortened. */
  details?: ReactNode;
  /** Why the last action on it was refused. */
  error?: unknown;
  /** The usual action, as a button, and a `RowMenu` with all others. */
  actions?: ReactNode;
}

/** One thing of a list in a line of 52 pixels. */
export const Row = ({ mark, title, badges, details, error, actions }: RowProps) => (
  <li className="py-1.5">
    <div className="flex min-h-10 items-center gap-3">
      {mark}
      <div className="min-w-0 flex-1 gap-x-4 sm:flex sm:items-center sm:justify-between">
        <div className="flex min-w-0 items-center gap-2 sm:max-w-2/3 sm:shrink-0">
          <div className="min-w-0 truncate font-medium">{title}</div>
          {badges}
        </div>
        {details && (
          <div className="min-w-0 text-sm text-muted max-sm:line-clamp-2 sm:truncate">
            {details}
          </div>
        )}
      </div>
      {actions && <div className="ui-compact flex shrink-0 items-center gap-2">{actions}</div>}
    </div>
    {Boolean(error) && (
      <div className="pb-1.5">
        <FormError error={error} />
      </div>
    )}
  </li>
);
