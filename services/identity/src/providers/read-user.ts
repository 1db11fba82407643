import { imageLengthMax, normalizeEmail } from "@latchkey/contracts";
import type { TokenAnswer, BuiltUser } from "./provider.ts";
import {
  type AskInit,
  parseAnswer,
  type ProviderCall,
  type Answer,
  asAnswer,
} from "./provider-call.ts";
import { type ProviderClient, ProviderError } from "./provider-client.ts";

/** Knowledge about the user that does not come from the tokens. */
interface Known {
  /** The account's id at the provider, if it is linked. */
  accountId?: string | undefined;
  /** A name that the browser or client sent. */
  givenName?: string | undefined;
}

/** Returns the interface with which a definition calls its provider. */
export const createCall = (
  { definition, provider, fetch }: ProviderClient,
  { tokens, claims, answer }: TokenAnswer,
  known: Known,
): ProviderCall => {
  const fetchAny = (url: string, init: AskInit = {}) => {
    const headers = {
      accept: "application/json",
      authorization: tokens.accessToken ? `Bearer ${tokens.accessToken}` : "",
      ...init.headers,
    };
    const sent = Object.entries(headers).filter(([, value]) => value !== "");
    return fetch(url, { ...init, headers: Object.fromEntries(sent) });
  };
  return {
    endpoints: definition.endpoints,
    clientIds: provider.clientIds,
    tokens,
    claims,
    answer,
    accountId: known.accountId,
    givenName: known.givenName,
    fetch: fetchAny,
    ask: async (url, init) => {
      const response = await fetchAny(url, init);
      return response.ok ? parseAnswer(await response.text()) : undefined;
    },
  };
};

/** A user at a provider, normalised. */
export interface SocialUser {
  /** The provider's user id, as text. */
  id: string;
  name: string | undefined;
  /** Normalized. Undefined if there is none that can receive mail. */
  email: string | undefined;
  image: string | undefined;
  /** Whether the provider asserts that the address is the user's. */
  emailVerified: boolean;
  /** Further members from the provider and from the application's own mapping. */
  mapped: Record<string, unknown>;
}

export interface ReadUser {
  user: SocialUser;
  /** The provider's profile, unchanged. */
  data: Answer;
}

const idLengthMax = 1_024;
const nameLengthMax = 1_024;

/** Returns text that a store can hold, or undefined. */
const textOf = (value: unknown, max: number): string | undefined => {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll("\0", "").toWellFormed().trim();
  return text === "" || text.length > max ? undefined : text;
};

/** An id is used unchanged or rejected. Normalising ids could make two users one. */
const isId = (id: string): boolean => textOf(id, idLengthMax) === id;

const members = new Set(["id", "name", "email", "image", "emailVerified"]);

const withoutMembers = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !members.has(name)));

/**
 * Applies the application's mapping over the built-in one. The id stays the provider's. An address from the application's
 * mapping does not count as verified by the provider.
 */
const understand = (built: BuiltUser, own: Record<string, unknown>): SocialUser | undefined => {
  const { id } = built;
  if (!isId(id)) return undefined;
  const email = normalizeEmail("email" in own ? own["email"] : built.email);
  const vouched =
    "emailVerified" in own
      ? own["emailVerified"] === true
      : built.emailVerified === true && email === normalizeEmail(built.email);
  return {
    id,
    name: textOf("name" in own ? own["name"] : built.name, nameLengthMax),
    email,
    image: textOf("image" in own ? own["image"] : built.image, imageLengthMax),
    emailVerified: email !== undefined && vouched,
    mapped: { ...built.more, ...withoutMembers(own) },
  };
};

const readOwn = async (
  { provider: { options }, within }: ProviderClient,
  { tokens }: TokenAnswer,
): Promise<ReadUser | undefined> => {
  const info = await within(options.getUserInfo?.(tokens));
  if (!info) return undefined;
  const id: unknown = info.user.id; // the application's function may be plain JavaScript
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  const user = understand({ ...info.user, id: String(id) }, withoutMembers(info.user));
  return user && { user, data: info.data };
};

/**
 * Returns the user that the provider names for these tokens, or undefined if its data is not sufficient. Rejects with a
 * `ProviderError`, also if the application's own functions throw.
 */
export const readUser = async (
  client: ProviderClient,
  answer: TokenAnswer,
  known: Known = {},
): Promise<ReadUser | undefined> => {
  const { definition, provider } = client;
  try {
    if (provider.options.getUserInfo) return await readOwn(client, answer);
    const call = createCall(client, answer, known);
    const data = asAnswer(await definition.readProfile(call));
    const profile = definition.profile.safeParse(data);
    if (data === undefined || !profile.success) return undefined;
    const built = definition.toUser(profile.data, call);
    if (!built) return undefined;
    const own = await client.within(provider.options.mapProfileToUser?.(data));
    const user = understand(built, own ?? {});
    return user && { user, data };
  } catch (cause) {
    throw new ProviderError("the provider did not tell who the user is", { cause });
  }
};
