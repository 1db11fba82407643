import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const ann = {
  sub: "110169484474386276334",
  email: "Ann@example.com",
  email_verified: true,
  name: "Ann Example",
  picture: "https://lh3.googleusercontent.com/a/ann=s96-c",
  given_name: "Ann",
  family_name: "Example",
};

export const expectation: Expectation = {
  options: { accessType: "offline", display: "popup" },
  endpoints: {
    authorization: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    jwks: "https://www.googleapis.com/oauth2/v3/certs",
    revoke: "https://oauth2.googleapis.com/revoke",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "email profile openid configured requested",
    nonce: "{nonce}",
    login_hint: "ann@example.com",
    prompt: "login",
    access_type: "offline",
    display: "popup",
    include_granted_scopes: "true",
  },
  variants: [
    {
      case: "neither access type nor earlier scopes",
      options: { accessType: undefined, display: undefined, includeGrantedScopes: false },
      authorization: {
        access_type: undefined,
        display: undefined,
        include_granted_scopes: undefined,
      },
    },
    { case: "a domain", options: { hd: "example.com" }, authorization: { hd: "example.com" } },
  ],
  exchange: exchangeOf({ verifier: true, headers: { accept: "application/json" } }),
  answer: {
    body: {
      access_token: "ya29.access",
      expires_in: 3599,
      refresh_token: "1//refresh",
      scope: "openid https://www.googleapis.com/auth/userinfo.email",
      token_type: "Bearer",
      id_token: "{idToken}",
      refresh_token_expires_in: 604799,
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "ya29.access",
    refreshToken: "1//refresh",
    idToken: "{idToken}",
    scopes: ["openid", "https://www.googleapis.com/auth/userinfo.email"],
  },
  expiresIn: { access: 3599, refresh: 604799 },
  issuer: "https://accounts.google.com",
  claims: ann,
  user: {
    id: "110169484474386276334",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://lh3.googleusercontent.com/a/ann=s96-c",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an address that is not verified",
      claims: { ...ann, email_verified: false },
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "nothing but an id",
      claims: { sub: "1" },
      user: { id: "1", name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "a user of the domain",
      options: { hd: "example.com" },
      claims: { ...ann, hd: "example.com" },
      user: { id: ann.sub },
    },
    {
      case: "a user of another domain",
      options: { hd: "example.com" },
      claims: { ...ann, hd: "example.org" },
      user: undefined,
    },
    {
      case: "a user without a domain",
      options: { hd: "example.com" },
      claims: ann,
      user: undefined,
    },
    {
      case: "an issuer that is not Google",
      issuer: "https://accounts.example.com",
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "ya29.next",
        expires_in: 3599,
        scope: "openid",
        token_type: "Bearer",
        id_token: "{idToken}",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "ya29.next",
      idToken: "{idToken}",
      scopes: ["openid"],
    },
  },
};
