import { getRouteApi } from "@tanstack/react-router";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import type { Queue } from "./use-queues.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

const route = getRouteApi("/shell/queues");
const columns = ["Queue", "Waiting", "In progress", "Retrying", "Failed"];

/** The services with a queue. */
const expectedRows = ["identity", "organization", "apikey", "mailer", "webhooks"];

const waitingCells = Object.fromEntries(
  columns.map((column) => [column, <Skeleton key={column} />]),
);

interface QueueTableProps {
  queues: readonly Queue[] | undefined;
  /** The queue whose failed messages are shown. */
  shown: string | undefined;
}

/** Counts the messages of each queue by state. Each row links to its failed messages. */
export const QueueTable = ({ queues, shown }: QueueTableProps) => (
  <Card className="p-0">
    <Table label="queues" columns={columns}>
      {queues
        ? queues.map(({ name, waiting, active, delayed, failed }) => (
            <TableRow
              key={name}
              cells={{
                Queue: (
                  <route.Link
                    to="."
                    search={{ queue: name }}
                    aria-current={name === shown || undefined}
                    className="rounded-sm font-medium hover:underline aria-[current]:text-link"
                  >
                    {name}
                  </route.Link>
                ),
                Waiting: numberText(waiting),
                "In progress": numberText(active),
                Retrying: numberText(delayed),
                Failed: failed > 0 ? <Badge tone="warning">{numberText(failed)}</Badge> : "0",
              }}
            />
          ))
        : expectedRows.map((name) => <TableRow key={name} cells={waitingCells} />)}
    </Table>
  </Card>
);
