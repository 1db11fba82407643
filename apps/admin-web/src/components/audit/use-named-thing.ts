import { useQuery } from "@tanstack/react-query";
import type { Permission } from "../../access/access.ts";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { createLookUp } from "../../api/create-look-up.ts";
import { keyName } from "../api-keys/key-name.ts";
import { clientName } from "../clients/client.ts";

interface NamedThing {
  readonly id: string;
  readonly name: string;
}

interface Kind {
  readonly needs: Permission;
  lookUp(id: string): Promise<NamedThing | null>;
}

const limitOf = (ids: readonly string[]) => ({ ids: [...ids], limit: ids.length });

/** The kinds of subjects with a name, apart from users. */
const kinds: Readonly<Record<string, Kind>> = {
  organization: {
    needs: "organization:list",
    lookUp: createLookUp<NamedThing>(async (ids) => {
      const { adminListOrganizations } = operations.organization;
      return (await call(adminListOrganizations, { query: limitOf(ids) })).organizations;
    }),
  },
  "api-key": {
    needs: "apiKey:list",
    lookUp: createLookUp<NamedThing>(async (ids) => {
      const { apiKeys } = await call(operations.apikey.adminListApiKeys, { query: limitOf(ids) });
      return apiKeys.map((apiKey) => ({ id: apiKey.id, name: keyName(apiKey) }));
    }),
  },
  "oauth-client": {
    needs: "oauthClient:list",
    lookUp: createLookUp<NamedThing>(async (ids) => {
      const { adminListOauthClients } = operations.oauth;
      const { clients } = await call(adminListOauthClients, { query: limitOf(ids) });
      return clients.map((client) => ({ id: client.client_id, name: clientName(client) }));
    }),
  },
  webhook: {
    needs: "webhook:list",
    lookUp: createLookUp<NamedThing>(async (ids) => {
      const { adminListWebhooks } = operations.webhooks;
      const { webhooks } = await call(adminListWebhooks, { query: limitOf(ids) });
      return webhooks.map(({ id, url, description }) => ({ id, name: description || url }));
    }),
  },
};

const freshMs = 60_000;

/** Returns the name of an organization, API key, client or webhook, null if deleted. Undefined while unknown, without permission or for other kinds. */
export const useNamedThing = (kind: string, id: string): string | null | undefined => {
  const { may } = useAccess();
  const namedKind = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  const { data } = useQuery({
    queryKey: ["operation", "named-thing", kind, id],
    queryFn: async () => (await namedKind?.lookUp(id)) ?? null,
    staleTime: freshMs,
    enabled: namedKind !== undefined && may(namedKind.needs),
  });
  return data && data.name;
};
