import { useQuery } from "@tanstack/react-query";
import { RangeCard } from "../../components/range-card.tsx";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { DayChart } from "@latchkey/ui/components/day-chart.tsx";
import type { DayRange } from "@latchkey/ui/components/day-range.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { type DeliveryDay, deliveryDays, figureOf, valuesOf } from "./delivery-days.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

/** The maximum of the operation. */
export const daysMax = 31;

const figures = [
  { name: "delivered", label: "Delivered", unit: "deliveries" },
  { name: "failedAttempts", label: "Failed attempts", unit: "attempts" },
  { name: "meanMilliseconds", label: "Mean response time", unit: "ms" },
  { name: "maxMilliseconds", label: "Slowest response", unit: "ms" },
] as const;

const pendingMax = 10_000;

const pendingText = (pending: number): string => {
  if (pending === 0) return "No events are waiting.";
  const count = `${numberText(pending)}${pending >= pendingMax ? " or more" : ""}`;
  return pending === 1 ? "1 event is waiting." : `${count} events are waiting.`;
};

const Charts = ({ days, pending }: { days: readonly DeliveryDay[]; pending: number }) => {
  const today = useNow().toISOString().slice(0, 10);
  return (
    <>
      <p className="mb-4 text-muted">{pendingText(pending)}</p>
      <div className="grid gap-6 md:grid-cols-2">
        {figures.map(({ name, label, unit }) => {
          const sum = numberText(figureOf(days, name));
          const isTime = unit === "ms";
          return (
            <section key={name} aria-label={label} className="min-w-0">
              <h3 className="text-muted">{label}</h3>
              <p className="mb-2 text-2xl font-semibold tabular-nums">
                {sum}
                {isTime && <span className="text-base font-normal"> ms</span>}
              </p>
              <DayChart
                label={`${label} by day, ${isTime ? `${sum} ms` : sum} in the period`}
                days={valuesOf(days, name)}
                unit={unit}
                today={today}
              />
            </section>
          );
        })}
      </div>
    </>
  );
};

/** Shows the successes, failures and response times of a webhook over a chosen range of days. */
export const Figures = ({ webhookId, range }: { webhookId: string; range: DayRange }) => {
  const reading = useQuery(
    operationQuery(operations.webhooks.adminReadWebhookStatistics, {
      params: { id: webhookId },
      query: { from: `${range.from}T00:00:00Z`, to: `${range.to}T23:00:00Z` },
    }),
  );
  return (
    <RangeCard title="Deliveries" {...{ range, daysMax, reading }}>
      {({ hours, pending }) => <Charts days={deliveryDays(hours)} pending={pending} />}
    </RangeCard>
  );
};
