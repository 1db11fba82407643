import { Button } from "@latchkey/ui/components/button.tsx";
import { useEffect, useRef, useState } from "react";
import { toastError } from "../../api/explain.ts";
import type { TablePage } from "./data-table-props.ts";
import type { Exported } from "../export/use-export.ts";
import { t } from "../../texts.ts";
import { type RowKind, totalText } from "./row-words.ts";

/** The most rows that one bulk action runs on. */
const bulkMax = 10_000;

type Pages<Row> = Exported<Row>["pages"];

interface AllMatches<Row> {
  /** Every row that matches, once the user has selected them all. */
  rows: readonly Row[] | undefined;
  isReading: boolean;
  select: () => void;
  clear: () => void;
}

const readAll = async <Row extends object>(
  pages: Pages<Row>,
  signal: AbortSignal,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for await (const page of pages(signal)) {
    rows.push(...page);
    if (rows.length >= bulkMax) break;
  }
  return rows.slice(0, bulkMax);
};

/**
 * Selects every row that matches, on all pages. `place` names the search: another one clears the selection. So does a deselected row of the
 * page, because the whole page may be selected again without the other pages.
 */
export const useAllMatches = <Row extends object>(
  pages: Pages<Row> | undefined,
  place: string,
  isPageSelected: boolean,
): AllMatches<Row> => {
  const [selected, setSelected] = useState<{ place: string; rows: readonly Row[] }>();
  const [isReading, setIsReading] = useState(false);
  const reading = useRef(new AbortController());
  useEffect(() => () => reading.current.abort(), []);
  if (selected && !isPageSelected) setSelected(undefined);
  const select = async () => {
    if (!pages) return;
    reading.current = new AbortController();
    const { signal } = reading.current;
    setIsReading(true);
    try {
      const rows = await readAll(pages, signal);
      if (!signal.aborted) setSelected({ place, rows });
    } catch (error) {
      if (!signal.aborted) toastError(error);
    } finally {
      setIsReading(false);
    }
  };
  return {
    rows: selected?.place === place ? selected.rows : undefined,
    isReading,
    select: () => void select(),
    clear: () => setSelected(undefined),
  };
};

interface SelectAllProps {
  matches: AllMatches<unknown>;
  page: TablePage<unknown> | undefined;
  rowKind: RowKind;
}

/** Offers to select the rows of the other pages, too, once the whole page is selected. */
export const SelectAll = ({ matches, page, rowKind }: SelectAllProps) => {
  const { total = 0, totalIsEstimate = false, rows = [] } = page ?? {};
  if (matches.rows)
    return (
      <Button size="small" kind="quiet" onClick={matches.clear}>
        {t("table.selectPage")}
      </Button>
    );
  if (total <= rows.length) return null;
  return (
    <Button size="small" kind="quiet" isBusy={matches.isReading} onClick={matches.select}>
      {totalIsEstimate || total > bulkMax
        ? t("table.selectFirst", { rows: totalText(bulkMax, rowKind) })
        : t("table.selectAll", { rows: totalText(total, rowKind) })}
    </Button>
  );
};
