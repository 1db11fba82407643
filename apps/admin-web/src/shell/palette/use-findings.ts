import { showEmail } from "@latchkey/contracts/email-address.ts";
import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, KeyRound, ScrollText, UserRound, UserRoundCog } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call, type CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { isAddressOrId } from "../../components/audit/alternatives-of.ts";
import { keep, readKept } from "../../components/kept/kept-values.ts";
import { possibleActions } from "../../components/users/user-actions.ts";
import type { Command, CommandGroup } from "./command.ts";
import { actionText, isPaletteAction, readPersonRequest } from "./person-actions.ts";
import { t } from "../../texts.ts";

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

const icons = { user: UserRound, organization: Building2, key: KeyRound };

/** A result that was opened: its kind, names and address. */
interface Finding {
  readonly kind: keyof typeof icons;
  readonly label: string;
  readonly hint: string;
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
}

const recentName = "palette.recent";
const recentMax = 6;

const isFinding = (value: unknown): value is Finding => {
  const { kind, label, to } = (value ?? {}) as Partial<Finding>;
  return kind !== undefined && kind in icons && typeof label === "string" && typeof to === "string";
};

/** Returns what was opened last from the palette in this tab, the latest first. It is discarded when the user signs out. */
const readRecent = (): Finding[] => {
  const recent = readKept(recentName);
  return Array.isArray(recent) ? recent.filter(isFinding) : [];
};

const idOf = ({ kind, params }: Finding): string => `${kind} ${Object.values(params).join(" ")}`;

/** Returns a function that makes the command that opens a finding, and remembers it. */
const useOpening = () => {
  const navigate = useNavigate();
  return (finding: Finding): Command => ({
    id: idOf(finding),
    label: finding.label,
    hint: finding.hint,
    icon: icons[finding.kind],
    run: () => {
      const others = readRecent().filter((one) => idOf(one) !== idOf(finding));
      keep(recentName, [finding, ...others].slice(0, recentMax));
      const { to, params } = finding;
      void navigate({ to, params } as unknown as Parameters<typeof navigate>[0]);
    },
  });
};

/** Returns the group of what was opened last, before a search. */
export const useRecent = (): CommandGroup => ({
  label: t("palette.recent"),
  items: readRecent().map(useOpening()),
});

interface Results {
  readonly users: readonly User[];
  readonly organizations: readonly Organization[];
  readonly keys: readonly Key[];
}

/** Returns the commands that open the results of a search. */
const useOpenings = (found: Results | undefined) => {
  const open = useOpening();
  const users = (found?.users ?? []).map(({ id, name, email }) =>
    open({
      kind: "user",
      label: name || showEmail(email),
      hint: showEmail(email),
      to: "/users/$userId",
      params: { userId: id },
    }),
  );
  const organizations = (found?.organizations ?? []).map(({ id, name, slug }) =>
    open({
      kind: "organization",
      label: name,
      hint: slug,
      to: "/organizations/$organizationId",
      params: { organizationId: id },
    }),
  );
  const keys = (found?.keys ?? []).map(({ id, name, start }) =>
    open({
      kind: "key",
      label: name ?? start ?? id,
      hint: start ?? id,
      to: "/api-keys/$keyId",
      params: { keyId: id },
    }),
  );
  return { users, organizations, keys };
};

/** Reads users with whether the admin may act on them. */
const useDetails = (people: readonly User[]) => {
  const { may } = useAccess();
  return useQueries({
    queries: people.map(({ id }) => ({
      ...operationQuery(operations.identity.adminGetUser, { params: { id } }),
      enabled: may("user:get"),
    })),
    combine: (reads) => ({
      details: reads.flatMap(({ data }) => data ?? []),
      isReading: reads.some(({ isLoading }) => isLoading),
    }),
  });
};

/** Returns the actions on the person whom a text names beside an action, such as "ban ada", or who is the only one found. */
const usePersonActions = (text: string, found: readonly User[]) => {
  const { access, may } = useAccess();
  const navigate = useNavigate();
  const now = useNow();
  const { actions, person } = readPersonRequest(text);
  const isNamed = person.length > 1;
  const { data, isFetching } = useQuery({
    queryKey: ["operation", "palette", "person", person],
    queryFn: ({ signal }) => findUsers(person, signal),
    enabled: isNamed && may("user:list"),
  });
  const people = isNamed ? (data ?? []) : found.length === 1 ? found : [];
  const { details, isReading } = useDetails(people);
  const commandOf = (
    user: Pick<User, "email" | "id" | "name">,
    action: Parameters<typeof actionText>[0],
  ): Command => ({
    id: `${action} ${user.id}`,
    label: actionText(action, user.name || showEmail(user.email)),
    ...(people.length > 1 && { hint: showEmail(user.email) }),
    icon: UserRoundCog,
    run: () =>
      void navigate({
        to: "/users/$userId",
        params: { userId: user.id },
        search: { do: action },
      } as unknown as Parameters<typeof navigate>[0]),
  });
  const items = details.flatMap(({ user, mayActOn }) =>
    possibleActions(user, { id: access?.user.id, may, mayActOn, now })
      .map(({ name }) => name)
      .filter(isPaletteAction)
      .filter((action) => !isNamed || actions.includes(action))
      .map((action) => commandOf(user, action)),
  );
  return { items, isFetching: isFetching || isReading };
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
  const { users, organizations, keys } = useOpenings(data);
  const personActions = usePersonActions(searchText, data?.users ?? []);
  const entries: Command = {
    id: "audit entries",
    label: t("palette.auditEntries"),
    hint: searchText,
    icon: ScrollText,
    run: () => void navigate({ to: "/audit", search: { q: searchText } }),
  };
  const groups: CommandGroup[] = [
    { label: t("screens.users"), items: users },
    { label: t("palette.peopleActions"), items: personActions.items },
    { label: t("screens.organizations"), items: organizations },
    { label: t("screens.apiKeys"), items: keys },
    {
      label: t("screens.audit"),
      items: may("audit:list") && isAddressOrId(searchText) ? [entries] : [],
    },
  ];
  return { groups, isFetching: isFetching || personActions.isFetching, isError };
};
