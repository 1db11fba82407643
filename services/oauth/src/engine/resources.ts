import type { OauthResource } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { KoaContextWithOIDC, Provider } from "oidc-provider";
import { scopeNames } from "./client-metadata.ts";

/** Returns the resource among those that are configured. Clients may write an identifier in another form of the same URL. */
export const findAmong = (
  resources: readonly OauthResource[],
  identifier: string,
): OauthResource | undefined => {
  const href = URL.parse(identifier)?.href;
  return resources.find((one) => URL.parse(one.identifier)?.href === href);
};

/** A consent names a scope of a resource with the resource, so that it counts for no other one. Neither holds a backslash. */
export const nameInConsent = (identifier: string, scope: string): string =>
  `${identifier}\\${scope}`;

/** Returns the scopes and resources that a consent names. */
export const readConsent = (scopes: string): { scopes: string[]; resources: string[] } => {
  const names = scopeNames(scopes).map((name) => name.split("\\"));
  const unique = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean);
  return {
    scopes: unique(names.map((parts) => parts.at(-1) ?? "")),
    resources: unique(names.map((parts) => (parts.length > 1 ? (parts[0] ?? "") : ""))),
  };
};

/** Returns the names of a consent that are left if only these scopes stay. */
export const limitToScopes = (scopes: string, remaining: readonly string[]): string[] =>
  scopeNames(scopes).filter((name) => {
    const scope = name.split("\\").at(-1) ?? "";
    return scope === "" || remaining.includes(scope);
  });

/** Returns what a consent to scopes has to name: those of users, and for each resource itself and those of it. */
export const consentNames = (
  scopes: readonly string[],
  { ofUsers, resources }: { ofUsers: readonly string[]; resources: readonly OauthResource[] },
): string[] => [
  ...scopes.filter((scope) => ofUsers.includes(scope)),
  ...resources.flatMap(({ identifier, scopes: own }) =>
    ["", ...scopes.filter((scope) => own.includes(scope))].map((scope) =>
      nameInConsent(identifier, scope),
    ),
  ),
];

const jwtForm = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** Returns whether a token has the form of a JWT. */
export const isJwt = (token: string): boolean => jwtForm.test(token);

/**
 * Returns the name under which a JWT is stored. It is found only by its complete text, so a forged or foreign one is unknown, and one whose
 * grant has ended is inactive.
 */
export const storedName = (token: string): string =>
  isJwt(token) ? `jwt ${hashToken(token).toString("base64url")}` : token;

type TokenClass = "AccessToken" | "ClientCredentials";

interface TokenModel {
  save: (this: Token) => Promise<string>;
}
interface Token {
  constructor: { IN_PAYLOAD: string[] };
  adapter: { upsert: (id: string, payload: object, ttl: number) => Promise<void> };
}

const readPayload = (jwt: string): { iat: number; exp: number } =>
  JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()) as {
    iat: number;
    exp: number;
  }; // written by the provider

/** Lets the provider store JWTs too, so that introspection and revocation know them. */
export const storeJwts = (provider: Provider): void => {
  for (const name of ["AccessToken", "ClientCredentials"] satisfies TokenClass[]) {
    const model = provider[name].prototype as unknown as TokenModel;
    const { save } = model;
    model.save = async function () {
      const value = await save.call(this);
      if (!isJwt(value)) return value;
      const { iat, exp } = readPayload(value);
      const members = this.constructor.IN_PAYLOAD.map((member) => [
        member,
        (this as unknown as Record<string, unknown>)[member],
      ]);
      const payload = { ...Object.fromEntries(members), iat, exp };
      await this.adapter.upsert(storedName(value), payload, exp - iat);
      return value;
    };
  }
};

/** Adds to a JWT its sign-in: `sid` is the grant, not the session, and `acr` lets an API ask for more (RFC 9470). */
export const describeSignIn = (
  { oidc: { entities } }: KoaContextWithOIDC,
  token: { grantId?: string | undefined; clientId?: string | undefined },
  jwt: { payload: Record<string, unknown> },
): void => {
  const source = entities.AuthorizationCode ?? entities.RefreshToken ?? entities.DeviceCode;
  const { authTime, acr, amr } = (source ?? {}) as {
    authTime?: number;
    acr?: string;
    amr?: string[];
  };
  const own = { azp: token.clientId, sid: token.grantId, auth_time: authTime, acr, amr };
  for (const [name, value] of Object.entries(own))
    if (value !== undefined) jwt.payload[name] = value;
};
