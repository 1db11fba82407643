import type { ReactTable } from "@tanstack/react-table";
import { Columns3 } from "lucide-react";
import type { RefObject } from "react";
import {
  DropdownMenu,
  MenuCheck,
  MenuItem,
  MenuLine,
} from "@latchkey/ui/components/dropdown-menu.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import type { features } from "./features.ts";
import { t } from "../../texts.ts";

interface ColumnMenuProps<Row extends object> {
  table: ReactTable<typeof features, Row>;
  /** An element around the table. */
  around: RefObject<HTMLElement | null>;
}

/** The attribute of a head cell with the id of its column. */
export const columnMark = "data-column";

/** Rendered while the menu is open, because only the page knows which columns fit. */
const Columns = <Row extends object>({ table, around }: ColumnMenuProps<Row>) => {
  const chosen = table.state.columnVisibility;
  const fits = (id: string) => {
    const cell = around.current?.querySelector(`th[${columnMark}="${CSS.escape(id)}"]`);
    // A table without rows has no head.
    return cell?.checkVisibility() ?? true;
  };
  return (
    <>
      {table
        .getAllLeafColumns()
        .filter((column) => column.getCanHide())
        .map((column) => (
          <MenuCheck
            key={column.id}
            isChecked={chosen[column.id] ?? fits(column.id)}
            onChange={(isShown) => column.toggleVisibility(isShown)}
          >
            {String(column.columnDef.header)}
          </MenuCheck>
        ))}
      {Object.keys(chosen).length > 0 && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => table.setColumnVisibility({})}>
            {t("table.showFitting")}
          </MenuItem>
        </>
      )}
    </>
  );
};

/** Chooses the visible columns. The first column is always visible, and the width decides on those that were not chosen. */
export const ColumnMenu = <Row extends object>(props: ColumnMenuProps<Row>) => (
  <DropdownMenu
    trigger={
      <IconButton label={t("table.columns")}>
        <Columns3 />
      </IconButton>
    }
  >
    <Columns {...props} />
  </DropdownMenu>
);
