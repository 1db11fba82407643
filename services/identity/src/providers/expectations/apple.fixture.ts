import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const ann = {
  sub: "001473.fe6f83bf4b8e4590aacbabdcb8598bd0.2039",
  at_hash: "ZgFzvP1aPzcL5HmHpPhP3Q",
  email: "x7k2r9dq4m@privaterelay.appleid.com",
  email_verified: true,
  is_private_email: true,
  auth_time: 1_900_000_000,
  nonce_supported: true,
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://appleid.apple.com/auth/authorize",
    token: "https://appleid.apple.com/auth/token",
    jwks: "https://appleid.apple.com/auth/keys",
    revoke: "https://appleid.apple.com/auth/revoke",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    response_mode: "form_post",
    scope: "email name configured requested",
    nonce: "{nonce}",
  },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "adg61.access",
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: "rca7.refresh",
      id_token: "{idToken}",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "adg61.access",
    refreshToken: "rca7.refresh",
    idToken: "{idToken}",
  },
  expiresIn: { access: 3600 },
  issuer: "https://appleid.apple.com",
  claims: ann,
  user: {
    id: "001473.fe6f83bf4b8e4590aacbabdcb8598bd0.2039",
    name: undefined,
    email: "x7k2r9dq4m@privaterelay.appleid.com",
    image: undefined,
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "a name that came along the first time",
      givenName: "Ann Example",
      user: { name: "Ann Example" },
    },
    {
      case: "a name that came along beside one of the token",
      givenName: "Ann Example",
      claims: { ...ann, name: "Else" },
      user: { name: "Ann Example" },
    },
    {
      case: "a name of the token",
      claims: { ...ann, name: "Ann Token" },
      user: { name: "Ann Token" },
    },
    {
      case: "a claim of verification that is text",
      claims: { ...ann, email_verified: "true" },
      user: { emailVerified: true },
    },
    {
      case: "a claim of no verification that is text",
      claims: { ...ann, email_verified: "false" },
      user: { emailVerified: false },
    },
    {
      case: "a user without an address",
      claims: { sub: ann.sub },
      user: { id: ann.sub, name: undefined, email: undefined, emailVerified: false },
    },
    {
      case: "an answer without an id token",
      answer: { id_token: undefined },
      user: undefined,
    },
    { case: "an issuer that is not Apple", issuer: "https://appleid.example.com", user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "beg510.next",
        token_type: "Bearer",
        expires_in: 3600,
        id_token: "{idToken}",
      },
    },
    tokens: { tokenType: "Bearer", accessToken: "beg510.next", idToken: "{idToken}" },
  },
};
