import { Badge } from "@latchkey/ui/components/badge.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { TextView } from "@latchkey/ui/components/text-view.tsx";
import type { DeliveryDetails } from "./use-deliveries.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

type Attempt = DeliveryDetails["attempts"][number];

const Outcome = ({ attempt: { error, status } }: { attempt: Attempt }) => (
  <Badge tone={error === null ? "success" : "warning"}>{status ?? "No response"}</Badge>
);

/** Lists the attempts of a delivery with the responses, latest first. */
export const Attempts = ({ delivery, attempts }: DeliveryDetails) => (
  <section aria-label="Attempts" className="flex flex-col gap-2">
    <h3 className="font-medium">Attempts</h3>
    {attempts.length === 0 ? (
      <p className="text-muted">
        {delivery.state === "pending" ? "Not attempted yet." : "No attempts were recorded."}
      </p>
    ) : (
      <ol className="divide-y rounded-md border">
        {attempts.map((attempt) => (
          <li key={attempt.number} className="flex flex-col gap-2 px-3 py-2">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">Attempt {attempt.number}</span>
              <Outcome attempt={attempt} />
              <RelativeTime at={attempt.startedAt} />
              <span className="text-muted">{numberText(attempt.durationMilliseconds)} ms</span>
            </div>
            {attempt.error !== null && (
              <p className="break-words text-warning">
                <bdi>{attempt.error}</bdi>
              </p>
            )}
            {attempt.response ? (
              <TextView label={`Response to attempt ${attempt.number}`} text={attempt.response} />
            ) : (
              attempt.status !== null && <p className="text-muted">The response had no content.</p>
            )}
          </li>
        ))}
      </ol>
    )}
  </section>
);
