import { Badge } from "@latchkey/ui/components/badge.tsx";
import type { Client } from "./client.ts";
import { t } from "../../texts.ts";

/** Says whether a client is disabled, and whether users are asked for consent. */
export const ClientStateBadge = ({ client }: { client: Client }) => (
  <span className="inline-flex flex-wrap gap-1">
    <Badge tone={client.disabled ? "warning" : "success"}>
      {t(client.disabled ? "clients.states.disabled" : "clients.states.enabled")}
    </Badge>
    {client.skip_consent && <Badge tone="neutral">{t("clients.trusted")}</Badge>}
  </span>
);
