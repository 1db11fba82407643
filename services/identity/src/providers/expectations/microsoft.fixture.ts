import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
const login = "https://login.microsoftonline.com";

const ann = {
  oid: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
  sub: "HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ",
  tid: tenant,
  ver: "2.0",
  name: "Ann Example",
  preferred_username: "ann@example.com",
  email: "Ann@example.com",
  picture: "https://example.com/claimed.png",
};
const at = (base: string, size = 48) => ({
  authorization: `${base}/oauth2/v2.0/authorize`,
  token: `${base}/oauth2/v2.0/token`,
  jwks: `${base}/discovery/v2.0/keys`,
  photo: `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`,
});
const none = { status: 404, body: { error: { code: "ImageNotFound" } } };
const issuerOf = (tid: string) => `${login}/${tid}/v2.0`;
const tokens = {
  tokenType: "Bearer",
  accessToken: "eyJ0eXAi.access",
  refreshToken: "0.AXEA.refresh",
  idToken: "{idToken}",
  scopes: ["openid", "profile", "User.Read"],
};

export const expectation: Expectation = {
  endpoints: at(`${login}/common`),
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile email User.Read offline_access configured requested",
    nonce: "{nonce}",
    login_hint: "ann@example.com",
    prompt: "login",
  },
  variants: [
    {
      case: "a tenant and the size of the photo",
      options: { tenantId: tenant, profilePhotoSize: 240 },
      endpoints: at(`${login}/${tenant}`, 240),
    },
    {
      case: "a national cloud",
      options: { authority: "https://login.microsoftonline.us/", tenantId: "organizations" },
      endpoints: at("https://login.microsoftonline.us/organizations"),
    },
    {
      case: "an account to be selected",
      options: { prompt: "select_account" },
      authorization: { prompt: "select_account" },
    },
    {
      case: "other scopes, and so no id token",
      options: { disableDefaultScope: true },
      authorization: { scope: "configured requested", nonce: undefined },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      token_type: "Bearer",
      scope: "openid profile User.Read",
      expires_in: 3736,
      ext_expires_in: 3736,
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      id_token: "{idToken}",
    },
  },
  tokens,
  expiresIn: { access: 3736 },
  issuer: issuerOf(tenant),
  claims: ann,
  reads: [
    {
      endpoint: "photo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { type: "image/jpeg", body: "photo" },
    },
  ],
  user: {
    id: "690222be-ff1a-4d56-abd1-7e4f7d38e474",
    name: "Ann Example",
    email: "ann@example.com",
    image: "data:image/jpeg;base64, cGhvdG8=",
    emailVerified: false,
    mapped: {},
  },
  others: [
    { case: "a user without a photo", answers: [none], user: { image: ann.picture } },
    {
      case: "an answer that is no photo",
      answers: [{ type: "text/html", body: "<html>" }],
      user: { image: ann.picture },
    },
    {
      case: "a photo that is too large to be kept",
      answers: [{ type: "image/jpeg", body: Buffer.alloc(6_150) }],
      user: { image: ann.picture },
    },
    {
      case: "a photo that is just small enough",
      answers: [{ type: "image/jpeg", body: Buffer.alloc(6_120) }],
      user: { image: `data:image/jpeg;base64, ${"A".repeat(8_160)}` },
    },
    {
      case: "photos that are not wanted",
      options: { disableProfilePhoto: true },
      user: { image: ann.picture },
    },
    {
      case: "an address that is claimed to be verified",
      claims: { ...ann, email_verified: true },
      user: { emailVerified: true },
    },
    {
      case: "an address that is one of the verified ones",
      claims: { ...ann, verified_secondary_email: ["else@example.com", "ann@EXAMPLE.com"] },
      user: { emailVerified: true },
    },
    {
      case: "an address that is the verified first one",
      claims: { ...ann, verified_primary_email: ["ann@example.com"] },
      user: { emailVerified: true },
    },
    {
      case: "verified addresses that are others",
      claims: { ...ann, verified_primary_email: ["else@example.com"] },
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "a user without an address",
      claims: { oid: ann.oid, sub: ann.sub, tid: tenant },
      user: { id: ann.oid, name: undefined, email: undefined, emailVerified: false },
    },
    {
      case: "no user without an object id",
      claims: { ...ann, oid: undefined },
      user: undefined,
    },
    {
      case: "a personal account",
      claims: { ...ann, tid: personal },
      issuer: issuerOf(personal),
      user: { id: ann.oid },
    },
    {
      case: "a personal account where organizations are wanted",
      options: { tenantId: "organizations" },
      claims: { ...ann, tid: personal },
      issuer: issuerOf(personal),
      user: undefined,
    },
    {
      case: "an organization's account where organizations are wanted",
      options: { tenantId: "organizations" },
      user: { id: ann.oid },
    },
    {
      case: "an organization's account where consumers are wanted",
      options: { tenantId: "consumers" },
      user: undefined,
    },
    {
      case: "a personal account where consumers are wanted",
      options: { tenantId: "consumers" },
      claims: { ...ann, tid: personal },
      issuer: issuerOf(personal),
      user: { id: ann.oid },
    },
    {
      case: "an account of the tenant",
      options: { tenantId: tenant.toUpperCase() },
      user: { id: ann.oid },
    },
    {
      case: "an account of another tenant",
      options: { tenantId: "3aa4a235-b6e2-48d5-9195-7fcf05b459b0" },
      user: undefined,
    },
    {
      case: "an account of a tenant with a name",
      options: { tenantId: "contoso.onmicrosoft.com" },
      user: { id: ann.oid },
    },
    {
      case: "an issuer that is not of the claimed tenant",
      issuer: issuerOf(personal),
      user: undefined,
    },
    {
      case: "an invalid tenant",
      claims: { ...ann, tid: "../evil" },
      issuer: `${login}/../evil/v2.0`,
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf({
      parameters: { scope: "openid profile email User.Read offline_access configured" },
    }),
    answer: {
      body: {
        token_type: "Bearer",
        scope: "openid profile User.Read",
        expires_in: 3599,
        access_token: "eyJ0eXAi.next",
        refresh_token: "0.AXEA.next",
        id_token: "{idToken}",
      },
    },
    tokens: { ...tokens, accessToken: "eyJ0eXAi.next", refreshToken: "0.AXEA.next" },
  },
  errors: [
    {
      status: 400,
      body: {
        error: "invalid_grant",
        error_description: "AADSTS70000: The provided value for the 'code' is not valid.",
        error_codes: [70000],
        trace_id: "0000aaaa-11bb-cccc-dd22-eeeeee333333",
      },
    },
  ],
};
