import type { operations } from "@latchkey/ui/api/contracts.ts";
import type { ListedRow } from "../data-table/list-query.ts";
import { t } from "../../texts.ts";

/** A client as listed by `adminListOauthClients`. */
export type Client = ListedRow<typeof operations.oauth.adminListOauthClients, "clients">;

/** The kind of a client decides how it signs users in and whether it has a secret. */
export type ClientKind = "web" | "browser" | "native" | "machine";

/** A part of a client that says what it is. */
type Described = Pick<Client, "application_type" | "grant_types" | "token_endpoint_auth_method">;

export const clientKinds = {
  web: { label: t("clients.kinds.web"), hint: t("clients.kindHints.web") },
  browser: { label: t("clients.kinds.browser"), hint: t("clients.kindHints.browser") },
  native: { label: t("clients.kinds.native"), hint: t("clients.kindHints.native") },
  machine: { label: t("clients.kinds.machine"), hint: t("clients.kindHints.machine") },
} satisfies Record<ClientKind, object>;

/** Whether a client has a secret. Everybody could read that of one that runs at the user. */
export const hasSecret = ({ token_endpoint_auth_method }: Described): boolean =>
  token_endpoint_auth_method !== "none";

export const kindOf = (client: Described): ClientKind => {
  if (client.grant_types?.includes("authorization_code") === false) return "machine";
  if (client.application_type === "native") return "native";
  return hasSecret(client) ? "web" : "browser";
};

export const clientName = ({ client_name, client_id }: Client): string => client_name ?? client_id;
