import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import type { Webhook } from "../../components/webhooks/webhook.ts";
import { WebhookOrganization } from "../../components/webhooks/webhook-organization.tsx";

const EventList = ({ events }: Pick<Webhook, "events">) =>
  events.length === 0 ? (
    <p>All events, also those that a later version adds.</p>
  ) : (
    <ul
      aria-label="Events of this webhook"
      // Makes a long list scrollable by keyboard.
      tabIndex={0}
      className="max-h-56 columns-2xs gap-6 overflow-y-auto font-mono text-xs leading-6"
    >
      {events.map((type) => (
        <li key={type}>{type}</li>
      ))}
    </ul>
  );

/** Shows the settings of a webhook. */
export const WebhookFacts = ({ webhook }: { webhook: Webhook }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title="Webhook">
      <Facts
        facts={{
          URL: <bdi className="font-mono text-xs break-all">{webhook.url}</bdi>,
          Description: <bdi>{webhook.description || "–"}</bdi>,
          Organization: <WebhookOrganization {...webhook} />,
          Contact: <bdi>{webhook.contactEmail || "–"}</bdi>,
          "Last success": <RelativeTime at={webhook.lastSuccessAt} />,
          "Last failure": <RelativeTime at={webhook.lastFailureAt} />,
          "Failing since": <RelativeTime at={webhook.failingSince} />,
          "Signs twice until": <RelativeTime at={webhook.formerSecretUntil} mayBeAhead />,
          "Created by": <AuditParty kind="user" id={webhook.createdBy} isStacked />,
          Created: <RelativeTime at={webhook.createdAt} />,
          Changed: <RelativeTime at={webhook.updatedAt} />,
          ID: <CopyId id={webhook.id} of={webhook.url} />,
        }}
      />
    </Card>
    <Card title="Events">
      <EventList events={webhook.events} />
    </Card>
  </div>
);
