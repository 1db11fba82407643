import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { outcomes } from "./outcomes.ts";
import type { UsageCounts, UsageDay } from "./usage-days.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

const columns = ["Day", ...outcomes.map(({ label }) => label)];

const cellsOf = (counts: UsageCounts) =>
  Object.fromEntries(
    outcomes.map(({ name }) => [
      name,
      <span key={name} className={counts[name] === 0 ? "text-muted" : "font-medium"}>
        {numberText(counts[name])}
      </span>,
    ]),
  );

interface UsageTableProps {
  /** The days with at least one use. */
  days: readonly UsageDay[];
  sums: UsageCounts;
}

/** Shows the numbers of the chart as text: the sums first, then the days, latest first. */
export const UsageTable = ({ days, sums }: UsageTableProps) => (
  <Table label="Uses by day" columns={columns}>
    <TableRow cells={{ day: <strong>All days</strong>, ...cellsOf(sums) }} />
    {days.toReversed().map((one) => (
      <TableRow key={one.day} cells={{ day: one.day, ...cellsOf(one) }} />
    ))}
  </Table>
);
