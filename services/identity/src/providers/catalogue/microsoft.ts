import { comparableEmail, imageLengthMax, type KnownProviderOptions } from "@latchkey/contracts";
import { z } from "zod";
import { defineProvider } from "../provider.ts";
import type { Answer, ProviderCall } from "../provider-call.ts";

type Options = KnownProviderOptions<"microsoft">;

const scopes = ["openid", "profile", "email", "User.Read", "offline_access"];

/** The tenant of all personal accounts. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const isTenantId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Returns whether accounts of the `claimed` tenant may sign in if the option is `tenant`. */
const isTenantGood = (tenant: string, claimed: string): boolean => {
  if (!isTenantId(claimed)) return false;
  const tid = claimed.toLowerCase();
  if (tenant === "organizations") return tid !== personalTenant;
  if (tenant === "consumers") return tid === personalTenant;
  return isTenantId(tenant) ? tid === tenant.toLowerCase() : true;
};

/** Returns the id token's claims, with the user's photo if it is enabled and not too large. */
const readProfile = async (
  { disableProfilePhoto }: Options,
  { endpoints, tokens, claims, fetch }: ProviderCall,
): Promise<Answer | undefined> => {
  if (!claims || disableProfilePhoto || tokens.accessToken === undefined) return claims;
  const photo = await fetch(endpoints.photo ?? "", { headers: { accept: "image/*" } }).catch(
    () => undefined,
  );
  if (!photo?.ok || !photo.headers.get("content-type")?.startsWith("image/")) return claims;
  const data = Buffer.from(await photo.arrayBuffer()).toString("base64");
  const picture = `data:image/jpeg;base64, ${data}`;
  return picture.length > imageLengthMax ? claims : { ...claims, picture };
};

const addresses = z.array(z.string()).nullish();

/** https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc */
export const microsoft = (options: Options) => {
  const { tenantId, profilePhotoSize: size, disableDefaultScope, scope } = options;
  const authority = options.authority.replace(/\/+$/, "");
  const tenant = `${authority}/${tenantId}`;
  const isNamed =
    !isTenantId(tenantId) && !["common", "organizations", "consumers"].includes(tenantId);
  const requestedScopes = new Set([...(disableDefaultScope ? [] : scopes), ...scope]);
  return defineProvider({
    name: "Microsoft EntraID",
    issuer: ({ tid }) =>
      typeof tid === "string" && isTenantGood(tenantId, tid)
        ? `${authority}/${tid}/v2.0`
        : undefined,
    endpoints: {
      authorization: `${tenant}/oauth2/v2.0/authorize`,
      token: `${tenant}/oauth2/v2.0/token`,
      jwks: `${tenant}/discovery/v2.0/keys`,
      photo: `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`,
    },
    scopes,
    pkce: true,
    nonce: true,
    loginHint: true,
    prompt: true,
    refreshParameters: { scope: [...requestedScopes].join(" ") },
    // All tenants have the same keys. A tenant that is configured by name cannot be matched with the tenant id in a
    // token.
    ...(isNamed ? {} : { clientIdToken: {} }),
    readProfile: (call) => readProfile(options, call),
    profile: z.looseObject({
      oid: z.string(),
      name: z.string().nullish(),
      email: z.string().nullish(),
      email_verified: z.boolean().nullish(),
      verified_primary_email: addresses,
      verified_secondary_email: addresses,
      picture: z.string().nullish(),
    }),
    toUser: ({ oid, name, email, picture, ...profile }) => {
      const { verified_primary_email: primary, verified_secondary_email: secondary } = profile;
      return {
        id: oid,
        name,
        email,
        image: picture,
        emailVerified:
          profile.email_verified === true ||
          [...(primary ?? []), ...(secondary ?? [])].some(
            (address) => comparableEmail(address) === comparableEmail(email ?? ""),
          ),
      };
    },
  });
};
