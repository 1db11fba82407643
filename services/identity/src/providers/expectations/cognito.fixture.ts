import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf123";

const claims = {
  sub: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
  at_hash: "zJm1rIbGb1IBbNq8nCnPqA",
  email_verified: true,
  "cognito:username": "ann",
  given_name: "Ann",
  name: "Ann Example",
  picture: "https://pictures.example.com/ann.png",
  token_use: "id",
  email: "Ann@example.com",
};

/** The same claims as userinfo returns them. */
const userInfo = {
  sub: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
  email_verified: "true",
  email: "ann@example.com",
  username: "ann",
};

/** Without the scope `openid`, only userinfo describes the user. */
const askedForUser = (body: unknown) => ({
  options: { disableDefaultScope: true },
  answer: { id_token: undefined },
  reads: [
    {
      endpoint: "userInfo" as const,
      sent: {
        method: "GET" as const,
        parameters: {},
        headers: { authorization: "Bearer {access}" },
      },
      answer: { body },
    },
  ],
});

export const expectation: Expectation = {
  options: {
    domain: "ann.auth.eu-west-1.amazoncognito.com",
    region: "eu-west-1",
    userPoolId: "eu-west-1_AbCdEf123",
  },
  endpoints: {
    authorization: "https://ann.auth.eu-west-1.amazoncognito.com/oauth2/authorize",
    token: "https://ann.auth.eu-west-1.amazoncognito.com/oauth2/token",
    userInfo: "https://ann.auth.eu-west-1.amazoncognito.com/oauth2/userInfo",
    jwks: `${issuer}/.well-known/jwks.json`,
    revoke: "https://ann.auth.eu-west-1.amazoncognito.com/oauth2/revoke",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "openid profile email configured requested",
    nonce: "{nonce}",
  },
  variants: [
    {
      case: "identityProvider goes straight to it",
      options: { identityProvider: "Google" },
      authorization: { identity_provider: "Google" },
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "eyJz9sdfsdfsdfsd",
      refresh_token: "dn43ud8uj32nk2je",
      id_token: "{idToken}",
      token_type: "Bearer",
      expires_in: 3600,
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "eyJz9sdfsdfsdfsd",
    refreshToken: "dn43ud8uj32nk2je",
    idToken: "{idToken}",
  },
  expiresIn: { access: 3600 },
  claims,
  issuer,
  user: {
    id: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://pictures.example.com/ann.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "openid is not asked for, and userinfo says it all",
      ...askedForUser(userInfo),
      user: { id: userInfo.sub, name: "ann", email: "ann@example.com", emailVerified: true },
    },
    {
      case: "userinfo says that the address is not verified",
      ...askedForUser({ ...userInfo, email_verified: "false" }),
      user: { id: userInfo.sub, email: "ann@example.com", emailVerified: false },
    },
    {
      case: "neither id token nor userinfo says who it is",
      ...askedForUser({ error: "invalid_token" }),
      user: undefined,
    },
    {
      case: "the address is not verified",
      claims: { ...claims, email_verified: false },
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "a claim of verification is missing",
      claims: { ...claims, email_verified: undefined },
      user: { email: "ann@example.com", emailVerified: false },
    },
    {
      case: "the pool knows no address",
      claims: { ...claims, email: undefined },
      user: { email: undefined, emailVerified: false },
    },
    {
      case: "there is but a given name",
      claims: { ...claims, name: "", picture: undefined },
      user: { name: "Ann", image: undefined },
    },
    {
      case: "there is but a user name",
      claims: { ...claims, name: undefined, given_name: undefined, username: "ann" },
      user: { name: "ann" },
    },
    {
      case: "there is no name",
      claims: { ...claims, name: undefined, given_name: undefined },
      user: { name: undefined },
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "eyJz9sdfsdfsdfsd-2",
        id_token: "{idToken}",
        token_type: "Bearer",
        expires_in: 3600,
      },
    },
    tokens: { tokenType: "Bearer", accessToken: "eyJz9sdfsdfsdfsd-2", idToken: "{idToken}" },
  },
  errors: [
    { status: 400, body: { error: "invalid_grant" } },
    { status: 400, body: { error: "invalid_client", error_description: "invalid_client_secret" } },
  ],
};
