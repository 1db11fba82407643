import type { Configuration, KoaContextWithOIDC, Provider } from "oidc-provider";
import { newGrantId } from "./commit.ts";
import type { GrantRow } from "./queries.ts";
import { nameInConsent } from "./resources.ts";
import { presentWork, type Reads, type SignedIn } from "./work.ts";

/** A user as tokens name them. Undefined members are unknown. */
export interface Subject {
  /** Rises with each change that ends all access of the user. */
  accessEpoch: number;
  /** Whether the session that was asked for lives. True if none was. */
  hasSession: boolean;
  claims: Readonly<Record<string, unknown>>;
}

/** Returns a user who may sign in: one who exists and is not banned. */
export type FindSubject = (
  userId: string,
  sessionId: string | null,
) => Promise<Subject | undefined>;

/** The claims of each scope. */
export const claimsOf: Readonly<Record<string, string[]>> = {
  /** An ID token says when and how its user signed in. */
  openid: ["sub", "acr", "amr", "auth_time"],
  profile: ["name", "picture", "preferred_username", "updated_at"],
  email: ["email", "email_verified"],
};

/** Refresh tokens end this long after the sign-in, however often they are used. */
export const refreshSecondsMax = 365 * 86_400;

/** The look-ups on which grants depend. */
export interface GrantReads extends Pick<Reads, "clock" | "findGrant"> {
  findSubject: FindSubject;
  findConsentedScopes: (of: { userId: string; clientId: string }) => Promise<string[]>;
}

/** Returns whether a grant gives access now. Bans, deletions and ended sessions are seen at once, and not only by events. */
export const lives = async (
  { findSubject }: Pick<GrantReads, "findSubject">,
  grant: Pick<GrantRow, "accessEpoch" | "sessionId" | "userId"> | undefined,
): Promise<Subject | undefined> => {
  if (!grant) return undefined;
  const subject = await findSubject(grant.userId, grant.sessionId);
  return subject?.hasSession && subject.accessEpoch === grant.accessEpoch ? subject : undefined;
};

export const findGrantOf = async (
  { findGrant }: Pick<GrantReads, "findGrant">,
  id: string | undefined,
): Promise<GrantRow | undefined> =>
  id === undefined ? undefined : (presentWork().grants.get(id) ?? (await findGrant(id)));

export const createAccounts =
  (options: GrantReads): NonNullable<Configuration["findAccount"]> =>
  async (_context, accountId, token) => {
    const grantId = (token as { grantId?: string } | undefined)?.grantId;
    const subject = token
      ? await lives(options, await findGrantOf(options, grantId))
      : await options.findSubject(accountId, null);
    if (!subject) return undefined;
    return { accountId, claims: async () => ({ sub: accountId, ...subject.claims }) };
  };

/** Says of a scope of users, or of a scope of a resource, whether it is granted. An empty scope stands for the resource itself. */
type IsGranted = (scope: string, resource?: string) => boolean;

/** Returns what the user grants, or has granted before. */
const readGranted = async (
  { findConsentedScopes }: GrantReads,
  { oidc: { client, session, result } }: KoaContextWithOIDC,
): Promise<IsGranted> => {
  const clientId = client?.clientId ?? "";
  const answer = result?.consent as { scopes: string[] } | undefined;
  if (answer) return (scope) => scope === "" || answer.scopes.includes(scope);
  const isTrusted = presentWork().clients.get(clientId)?.skipConsent === true;
  // Another program on the machine may pretend to be a native one (RFC 8252 section 8.6).
  if (isTrusted && client?.applicationType !== "native") return () => true;
  const consented = await findConsentedScopes({ userId: session?.accountId ?? "", clientId });
  const work = presentWork();
  work.neededConsent = [];
  return (scope, identifier) => {
    const name = identifier === undefined ? scope : nameInConsent(identifier, scope);
    if (!consented.includes(name)) return false;
    work.neededConsent = [...work.neededConsent, name];
    return true;
  };
};

interface GrantStart {
  signedIn: Pick<SignedIn, "sessionId" | "userId">;
  granted: readonly string[];
  accessEpoch: number;
}

/** Returns the row of a grant that begins. */
const grantRow = async (
  { clock }: Pick<GrantReads, "clock">,
  grant: InstanceType<Provider["Grant"]>,
  { signedIn, granted, accessEpoch }: GrantStart,
): Promise<GrantRow> => {
  grant.jti = newGrantId();
  await grant.save();
  const {
    jti: id,
    openid,
    resources,
    rejected,
    iat,
    exp,
    kind,
  } = grant as typeof grant & { kind: string };
  const { userId, sessionId } = signedIn;
  const clientId = grant.clientId ?? "";
  const begun = iat ?? Math.floor(clock() / 1_000);
  return {
    id,
    clientId,
    userId,
    sessionId: granted.includes("offline_access") ? null : sessionId,
    accessEpoch,
    payload: JSON.stringify({
      accountId: userId,
      clientId,
      openid,
      resources,
      rejected,
      iat: begun,
      exp,
      kind,
    }),
    startedAt: new Date(clock()),
    endedAt: null,
    endReason: null,
  };
};

/** Returns the row of the grant of a device, whose user allows all scopes that it asks for. */
export const deviceGrantRow = (
  options: Pick<GrantReads, "clock">,
  provider: Provider,
  { clientId, ...start }: GrantStart & { clientId: string },
): Promise<GrantRow> => {
  const grant = new provider.Grant({ clientId, accountId: start.signedIn.userId });
  grant.addOIDCScope([...start.granted]);
  return grantRow(options, grant, start);
};

type Grant = InstanceType<KoaContextWithOIDC["oidc"]["provider"]["Grant"]>;

/** Adds the scopes of the requested resources to a grant. Returns whether each resource itself is granted. */
const grantResources = (
  grant: Grant,
  { oidc: { resourceServers = {}, requestParamScopes, result } }: KoaContextWithOIDC,
  isGranted: IsGranted,
): boolean =>
  Object.entries(resourceServers).every(([indicator, { audience, scope }]) => {
    const identifier = audience ?? indicator;
    const own = new Set(scope.split(" "));
    const requested = [...requestParamScopes].filter((name) => own.has(name));
    const granted = requested.filter((name) => isGranted(name, identifier));
    grant.addResourceScope(indicator, granted.join(" "));
    const refused = requested.filter((name) => !granted.includes(name));
    if (result?.consent && refused.length > 0)
      grant.rejectResourceScope(indicator, refused.join(" "));
    return isGranted("", identifier);
  });

/** Creates the grant of an authorization. Each has its own, so that a replayed token ends no other sign-in of the user. */
export const createGrant =
  (options: GrantReads): NonNullable<Configuration["loadExistingGrant"]> =>
  async (context) => {
    const { client, session, result, provider, requestParamOIDCScopes } = context.oidc;
    const { session: signedIn } = presentWork();
    if (!client || !session?.accountId || !signedIn) return undefined;
    const requested = [...requestParamOIDCScopes];
    const isGranted = await readGranted(options, context);
    const granted = requested.filter((scope) => isGranted(scope));
    const subject = await options.findSubject(session.accountId, signedIn.sessionId);
    if (!subject?.hasSession) return undefined;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    if (!grantResources(grant, context, isGranted)) return undefined;
    const isEmpty = granted.length === 0 && Object.keys(grant.resources ?? {}).length === 0;
    if (isEmpty && !result?.consent) return undefined;
    grant.addOIDCScope([...granted]);
    if (result?.consent)
      grant.rejectOIDCScope(requested.filter((scope) => !granted.includes(scope)));
    // The parameter `claims` chooses among the claims of granted scopes, which are all that the user has seen.
    const allowed = new Set(granted.flatMap((scope) => claimsOf[scope] ?? []));
    const claims = [...context.oidc.requestParamClaims];
    grant.addOIDCClaims(claims.filter((claim) => allowed.has(claim)));
    grant.rejectOIDCClaims(claims.filter((claim) => !allowed.has(claim)));
    const { accessEpoch } = subject;
    presentWork().newGrant = await grantRow(options, grant, { signedIn, granted, accessEpoch });
    return grant;
  };
