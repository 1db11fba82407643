import type { ReactNode } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import type { TableSearch } from "./table-search.ts";
import type { TableState } from "./use-table-search.ts";

interface NoRowsProps {
  state: TableState<TableSearch>;
  isFiltered?: boolean | undefined;
  /** Shown if the list has no rows at all. */
  empty: ReactNode;
  /** Called before a focused button here is removed. */
  onGo: () => void;
}

/** Explains why there are no rows and offers a way to show some. */
export const NoRows = ({ state, isFiltered, empty, onGo }: NoRowsProps) => {
  const { q, cursor } = state.search;
  const goButton = (label: string, patch: Partial<TableSearch>) => (
    <Button
      onClick={() => {
        onGo();
        state.change(patch);
      }}
    >
      {label}
    </Button>
  );
  if (cursor !== undefined)
    return (
      <EmptyState title="No rows on this page" action={goButton("First page", {})}>
        They were deleted, or moved to another page.
      </EmptyState>
    );
  if (q === undefined && !isFiltered) return empty;
  return (
    <EmptyState
      title="No results"
      action={q !== undefined && goButton("Clear search", { q: undefined })}
    >
      Change the search or the filters.
    </EmptyState>
  );
};
