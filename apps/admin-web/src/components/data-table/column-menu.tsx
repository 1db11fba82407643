import type { ReactTable } from "@tanstack/react-table";
import { Columns3 } from "lucide-react";
import { Button } from "../ui/button.tsx";
import { DropdownMenu, MenuCheck } from "../ui/dropdown-menu.tsx";
import type { features } from "./features.ts";

/** Chooses the visible columns. The first column is always visible. */
export const ColumnMenu = <Row extends object>({
  table,
}: {
  table: ReactTable<typeof features, Row>;
}) => (
  <DropdownMenu
    trigger={
      <Button>
        <Columns3 />
        Columns
      </Button>
    }
  >
    {table
      .getAllLeafColumns()
      .filter((column) => column.getCanHide())
      .map((column) => (
        <MenuCheck
          key={column.id}
          isChecked={column.getIsVisible()}
          onChange={(isShown) => column.toggleVisibility(isShown)}
        >
          {String(column.columnDef.header)}
        </MenuCheck>
      ))}
  </DropdownMenu>
);
