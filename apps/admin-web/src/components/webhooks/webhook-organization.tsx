import { AuditParty } from "../audit/audit-party.tsx";
import type { Webhook } from "./webhook.ts";
import { t } from "../../texts.ts";

/** Names the organization whose events a webhook receives. */
export const WebhookOrganization = ({ organizationId }: Pick<Webhook, "organizationId">) =>
  organizationId === null ? (
    <span className="text-muted">{t("common.all")}</span>
  ) : (
    <AuditParty kind="organization" id={organizationId} />
  );
