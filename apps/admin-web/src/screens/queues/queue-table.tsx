import { getRouteApi } from "@tanstack/react-router";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { durationText } from "../../components/api-keys/duration-text.ts";
import {
  conditionOf,
  type Queue,
  type QueueCondition,
  waitOf,
  worstFirst,
} from "../../components/queue-condition.ts";
import { t } from "../../texts.ts";

const route = getRouteApi("/shell/queues");
const numbers = (name: string) => ({ name, isNumber: true });
const columns = [
  t("parties.names.queue"),
  t("common.state"),
  numbers(t("queues.failed")),
  numbers(t("queues.perMinute")),
  t("queues.oldestWaiting"),
  numbers(t("queues.waiting")),
  numbers(t("queues.inProgress")),
  numbers(t("queues.retrying")),
];

/** The services with a queue. */
const expectedRows = ["identity", "organization", "apikey", "mailer", "webhooks"];

const waitingCells = Object.fromEntries(
  columns.map((column) => {
    const name = typeof column === "string" ? column : column.name;
    return [name, <Skeleton key={name} />];
  }),
);

const failures = { label: t("queues.states.failures"), tone: "warning" } as const;

const labels: Record<QueueCondition, { label: string; tone: BadgeTone }> = {
  stopped: { label: t("queues.states.stopped"), tone: "danger" },
  behind: { label: t("queues.states.behind"), tone: "warning" },
  healthy: { label: t("queues.states.healthy"), tone: "success" },
};

/** Rounds a duration down, to a whole number of the unit that tells it best. */
const ageText = (ms: number): string => {
  const unit = [86_400_000, 3_600_000].find((length) => ms >= 2 * length) ?? 60_000;
  return durationText(Math.floor(ms / unit) * unit);
};

/** Returns what an operator has to know about a queue, in a sentence. */
const conditionText = (queue: Queue, now: Date): string => {
  const condition = conditionOf(queue, now);
  if (condition === "stopped") return t("queues.conditions.stopped", { queue: queue.name });
  if (condition === "behind")
    return t("queues.conditions.behind", { duration: ageText(waitOf(queue, now)) });
  if (queue.failed > 0) return t("queues.conditions.failures");
  if (queue.delayed > 0) return t("queues.conditions.retrying");
  return t(queue.waiting > 0 ? "queues.conditions.moving" : "queues.conditions.idle");
};

/** The number of handled messages that the bus keeps at least. */
const keptMax = 10_000;

/** Formats the rate over the last five minutes, or over the last one if it is too high to know the others. */
const rateText = ({ handledLastMinute, handledLastFiveMinutes }: Queue): string => {
  if (handledLastMinute >= keptMax) return t("queues.orMore", { count: numberText(keptMax) });
  return handledLastFiveMinutes >= keptMax
    ? numberText(handledLastMinute)
    : numberText(Math.round(handledLastFiveMinutes * 2) / 10);
};

interface QueueTableProps {
  queues: readonly Queue[] | undefined;
  /** The queue whose failed messages are shown. */
  shown: string | undefined;
}

/** Shows for each queue whether it moves, how fast, and its messages by state. Each row links to its failed messages. */
export const QueueTable = ({ queues, shown }: QueueTableProps) => {
  const now = useNow();
  return (
    <Card className="p-0">
      <Table label={t("queues.list")} columns={columns}>
        {queues
          ? worstFirst(queues, now).map((queue) => {
              const condition = conditionOf(queue, now);
              const hasOnlyFailures = condition === "healthy" && queue.failed > 0;
              const { label, tone } = hasOnlyFailures ? failures : labels[condition];
              return (
                <TableRow
                  key={queue.name}
                  cells={{
                    queue: (
                      <route.Link
                        to="."
                        search={{ queue: queue.name }}
                        aria-current={queue.name === shown || undefined}
                        className="rounded-sm font-medium hover:underline aria-[current]:text-link"
                      >
                        {queue.name}
                      </route.Link>
                    ),
                    state: (
                      <span className="flex w-56 flex-col items-start gap-1 py-1.5">
                        <Badge tone={tone}>{label}</Badge>
                        <span className="text-xs text-muted">{conditionText(queue, now)}</span>
                      </span>
                    ),
                    failed:
                      queue.failed > 0 ? (
                        <Badge tone="warning">{numberText(queue.failed)}</Badge>
                      ) : (
                        "0"
                      ),
                    rate: rateText(queue),
                    oldest: <RelativeTime at={queue.oldestWaitingAt} isStacked />,
                    waiting: numberText(queue.waiting),
                    active: numberText(queue.active),
                    delayed: numberText(queue.delayed),
                  }}
                />
              );
            })
          : expectedRows.map((name) => <TableRow key={name} cells={waitingCells} />)}
      </Table>
    </Card>
  );
};
