import { Badge } from "@latchkey/ui/components/badge.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { DeliveryState, isUnderWay } from "../../components/mails/delivery-state.tsx";
import type { Delivery } from "../../components/mails/exported-deliveries.ts";
import type { Attempt } from "./use-deliveries.ts";

/** An attempt without an outcome lasts, or its process ended before the outcome was recorded. */
const Outcome = ({ attempt, delivery }: { attempt: Attempt; delivery: Delivery }) => {
  if (attempt.outcome === "retrying") return <Badge tone="warning">Failed</Badge>;
  if (attempt.outcome !== null) return <DeliveryState state={attempt.outcome} />;
  const lasts = delivery.state === "sending" && attempt.number === delivery.attempts;
  return lasts ? <DeliveryState state="sending" /> : <Badge>No outcome recorded</Badge>;
};

interface AttemptsProps {
  delivery: Delivery;
  attempts: readonly Attempt[];
}

/** Lists the attempts to send a mail with the replies of the SMTP server, latest first. */
export const Attempts = ({ delivery, attempts }: AttemptsProps) => (
  <section aria-label="Attempts" className="flex flex-col gap-2">
    <h3 className="font-medium">Attempts</h3>
    {attempts.length === 0 ? (
      <p className="text-muted">
        {isUnderWay(delivery.state) ? "Not attempted yet." : "No attempts were recorded."}
      </p>
    ) : (
      <ol className="divide-y rounded-md border">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-1 px-3 py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">Attempt {attempt.number}</span>
              <Outcome attempt={attempt} delivery={delivery} />
              <RelativeTime at={attempt.startedAt} />
            </div>
            {attempt.reason !== null && (
              <p className="break-words whitespace-pre-line text-danger">
                <bdi>{attempt.reason}</bdi>
              </p>
            )}
          </li>
        ))}
      </ol>
    )}
    {attempts.length > 0 && attempts.length < delivery.attempts && (
      <p className="text-xs text-muted">
        {delivery.attempts} attempts in total. The last {attempts.length} are shown.
      </p>
    )}
  </section>
);
