import { showEmail } from "@latchkey/contracts/email-address.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, KeyRound, ScrollText, UserRound } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isAddressOrId } from "../../components/audit/alternatives-of.ts";
import type { Command, CommandGroup } from "./command.ts";

type Found<O extends Parameters<typeof call>[0]> = CallReply<O>;
type User = Found<typeof operations.identity.adminListUsers>["users"][number];
type Organization = Pick<
  Found<typeof operations.organization.adminListOrganizations>["organizations"][number],
  "id" | "name" | "slug"
>;
type Key = Pick<
  Found<typeof operations.apikey.adminListApiKeys>["apiKeys"][number],
  "id" | "name" | "start"
>;

const limit = "5";

/** Whether a text may be a complete id and is worth a lookup by id. */
const looksLikeId = (text: string): boolean => /^[\w-]{16,64}$/.test(text);

const once = <Row extends { id: string }>(rows: readonly Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** Returns an empty list if there is nothing with that id. */
const ifThere = async <T>(reply: Promise<T>): Promise<T[]> => {
  try {
    return [await reply];
  } catch (error) {
    if (error instanceof ApiError && [400, 404].includes(error.status)) return [];
    throw error;
  }
};

const findUsers = async (text: string, signal: AbortSignal): Promise<User[]> => {
  const query = { searchField: "any", searchValue: text, limit: "8" } as const;
  return (await call(operations.identity.adminListUsers, { query }, signal)).users;
};

const findOrganizations = async (text: string, signal: AbortSignal): Promise<Organization[]> => {
  const { adminListOrganizations, adminGetOrganization } = operations.organization;
  const [listed, named] = await Promise.all([
    call(adminListOrganizations, { query: { searchValue: text, limit } }, signal),
    looksLikeId(text) ? ifThere(call(adminGetOrganization, { params: { id: text } }, signal)) : [],
  ]);
  return once<Organization>([...listed.organizations, ...named]);
};

const findKeys = async (text: string, signal: AbortSignal): Promise<Key[]> => {
  const { adminListApiKeys, adminGetApiKey } = operations.apikey;
  const [listed, named] = await Promise.all([
    call(adminListApiKeys, { query: { start: text, limit } }, signal),
    looksLikeId(text) ? ifThere(call(adminGetApiKey, { params: { id: text } }, signal)) : [],
  ]);
  return once<Key>([...listed.apiKeys, ...named]);
};

const nobody = async (): Promise<never[]> => [];

/** Searches users, organizations and keys by exactly this text or id, and offers to search the audit log for an id or an IP address. Skips kinds that the admin may not list. */
export const useFindings = (text: string) => {
  const { may } = useAccess();
  const navigate = useNavigate();
  const searchText = text.trim();
  const { data, isFetching, isError } = useQuery(
    queryOptions({
      queryKey: ["operation", "palette", searchText],
      queryFn: async ({ signal }) => {
        const [users, organizations, keys] = await Promise.all([
          (may("user:list") ? findUsers : nobody)(searchText, signal),
          (may("organization:list") ? findOrganizations : nobody)(searchText, signal),
          (may("apiKey:list") ? findKeys : nobody)(searchText, signal),
        ]);
        return { users, organizations, keys };
      },
      enabled: searchText.length > 1,
    }),
  );
  const go = (to: string, params: Record<string, string>) => () =>
    void navigate({ to, params } as unknown as Parameters<typeof navigate>[0]);
  const users = (data?.users ?? []).map(({ id, name, email }): Command => ({
    id: `user ${id}`,
    label: name || showEmail(email),
    hint: showEmail(email),
    icon: UserRound,
    run: go("/users/$userId", { userId: id }),
  }));
  const organizations = (data?.organizations ?? []).map(({ id, name, slug }): Command => ({
    id: `organization ${id}`,
    label: name,
    hint: slug,
    icon: Building2,
    run: go("/organizations/$organizationId", { organizationId: id }),
  }));
  const keys = (data?.keys ?? []).map(({ id, name, start }): Command => ({
    id: `key ${id}`,
    label: name ?? start ?? id,
    hint: start ?? id,
    icon: KeyRound,
    run: go("/api-keys/$keyId", { keyId: id }),
  }));
  const entries: Command = {
    id: "audit entries",
    label: "Entries of the audit log",
    hint: searchText,
    icon: ScrollText,
    run: () => void navigate({ to: "/audit", search: { q: searchText } }),
  };
  const groups: CommandGroup[] = [
    { label: "Users", items: users },
    { label: "Organizations", items: organizations },
    { label: "API keys", items: keys },
    { label: "Audit log", items: may("audit:list") && isAddressOrId(searchText) ? [entries] : [] },
  ];
  return { groups, isFetching, isError };
};
