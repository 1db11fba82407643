import { imageLengthMax, isEmailAddress } from "@latchkey/contracts";
import { createCall, type Known } from "./create-call.ts";
import type { Answer, BuiltUser, TokenAnswer } from "./provider.ts";
import { asAnswer } from "./provider-call.ts";
import { ProviderError } from "./provider-error.ts";
import type { Talk } from "./talk.ts";

/** Somebody at a provider, as we understand them. */
export interface SocialUser {
  /** The provider's id of them, as text. */
  id: string;
  name: string | undefined;
  /** In lower case; undefined where there is none that mail could go to. */
  email: string | undefined;
  image: string | undefined;
  /** Whether the provider says that the address is theirs. */
  emailVerified: boolean;
  /** Further members that the provider tells, and that the application's own mapping gave. */
  mapped: Record<string, unknown>;
}

export interface ReadUser {
  user: SocialUser;
  /** The provider's own words. */
  data: Answer;
}

const idLengthMax = 1_024;
const nameLengthMax = 1_024;

/** Text that a store can hold; undefined for none. */
const textOf = (value: unknown, max: number): string | undefined => {
  if (typeof value !== "string") return undefined;
  const text = value.replaceAll("\0", "").toWellFormed().trim();
  return text === "" || text.length > max ? undefined : text;
};

/** An id is taken as it is or not at all: two that were made alike would be one user. */
const isId = (id: string): boolean => textOf(id, idLengthMax) === id;

const members = new Set(["id", "name", "email", "image", "emailVerified"]);

const withoutMembers = (given: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !members.has(name)));

/**
 * The user with the application's mapping laid over the built-in one. The id stays the provider's; an address of the
 * mapping's own is not vouched for by the provider.
 */
const understand = (built: BuiltUser, own: Record<string, unknown>): SocialUser | undefined => {
  const { id } = built;
  if (!isId(id)) return undefined;
  const emailOf = (value: unknown) => (isEmailAddress(value) ? value.toLowerCase() : undefined);
  const email = emailOf("email" in own ? own["email"] : built.email);
  const vouched =
    "emailVerified" in own
      ? own["emailVerified"] === true
      : built.emailVerified === true && email === emailOf(built.email);
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
  { provider: { options }, within }: Talk,
  { tokens }: TokenAnswer,
): Promise<ReadUser | undefined> => {
  const info = await within(options.getUserInfo?.(tokens));
  if (!info) return undefined;
  const id: unknown = info.user.id; // not everybody's function is checked by a compiler
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  const user = understand({ ...info.user, id: String(id) }, withoutMembers(info.user));
  return user && { user, data: info.data };
};

/**
 * Who the tokens are for, by the provider's word; undefined where it says nothing that makes a user. Rejects with a
 * `ProviderError`, also for what the application's own functions throw.
 */
export const readUser = async (
  talk: Talk,
  answer: TokenAnswer,
  known: Known = {},
): Promise<ReadUser | undefined> => {
  const { definition, provider } = talk;
  try {
    if (provider.options.getUserInfo) return await readOwn(talk, answer);
    const call = createCall(talk, answer, known);
    const data = asAnswer(await definition.readProfile(call));
    const profile = definition.profile.safeParse(data);
    if (data === undefined || !profile.success) return undefined;
    const built = definition.toUser(profile.data, call);
    if (!built) return undefined;
    const own = await talk.within(provider.options.mapProfileToUser?.(data));
    const user = understand(built, own ?? {});
    return user && { user, data };
  } catch (cause) {
    throw new ProviderError("the provider did not tell who the user is", { cause });
  }
};
