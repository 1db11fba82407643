import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  account_type: "atlassian",
  account_id: "112233aa-bb11-cc22-33dd-445566abcabc",
  email: "Mia@example.com",
  name: "Mia Krystof",
  picture: "https://avatar-management.example.com/112233aa/1234abcd",
  account_status: "active",
  nickname: "mkrystof",
  zoneinfo: "Australia/Sydney",
  locale: "en-US",
  extended_profile: { job_title: "Designer", organization: "mia@example.com" },
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://auth.atlassian.com/authorize",
    token: "https://auth.atlassian.com/oauth/token",
    userInfo: "https://api.atlassian.com/me",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "read:jira-user offline_access configured requested",
    audience: "api.atlassian.com",
    prompt: "login",
  },
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "eyJhbGciOiJSUzI1NiJ9.atlassian.access",
      refresh_token: "eyJhbGciOiJSUzI1NiJ9.atlassian.refresh",
      expires_in: 3600,
      scope: "offline_access read:jira-user",
      token_type: "Bearer",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "eyJhbGciOiJSUzI1NiJ9.atlassian.access",
    refreshToken: "eyJhbGciOiJSUzI1NiJ9.atlassian.refresh",
    scopes: ["offline_access", "read:jira-user"],
  },
  expiresIn: { access: 3600 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "112233aa-bb11-cc22-33dd-445566abcabc",
    name: "Mia Krystof",
    email: "mia@example.com",
    image: "https://avatar-management.example.com/112233aa/1234abcd",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "no address and no picture",
      answers: [{ body: { ...profile, email: null, picture: undefined } }],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "a claim about verification that Atlassian does not document",
      answers: [{ body: { ...profile, email_verified: true } }],
      user: { emailVerified: false },
    },
    {
      case: "no id",
      answers: [{ body: { ...profile, account_id: undefined } }],
      user: undefined,
    },
    {
      case: "the scope is missing",
      answers: [{ status: 403, body: { code: 403, message: "Forbidden" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "eyJhbGciOiJSUzI1NiJ9.atlassian.access-2",
        refresh_token: "eyJhbGciOiJSUzI1NiJ9.atlassian.refresh-2",
        expires_in: 3600,
        scope: "offline_access read:jira-user",
        token_type: "Bearer",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "eyJhbGciOiJSUzI1NiJ9.atlassian.access-2",
      refreshToken: "eyJhbGciOiJSUzI1NiJ9.atlassian.refresh-2",
      scopes: ["offline_access", "read:jira-user"],
    },
  },
  errors: [
    {
      status: 403,
      body: { error: "invalid_grant", error_description: "Unknown or invalid refresh token." },
    },
    { status: 401, body: { error: "access_denied", error_description: "Unauthorized" } },
  ],
};
