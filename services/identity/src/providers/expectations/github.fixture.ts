import {
  type Expectation,
  type GivenAnswer,
  codeFlow,
  exchangeOf,
  withChallenge,
} from "../expectation.fixture.ts";

const octocat = {
  login: "octocat",
  id: 583231,
  node_id: "MDQ6VXNlcjU4MzIzMQ==",
  avatar_url: "https://avatars.githubusercontent.com/u/583231?v=4",
  html_url: "https://github.com/octocat",
  type: "User",
  site_admin: false,
  name: "Mona Lisa Octocat",
  company: null,
  email: null,
  bio: null,
  created_at: "2011-01-25T18:44:36Z",
};
const emails = [
  { email: "old@example.com", primary: false, verified: true, visibility: null },
  { email: "Mona@example.com", primary: true, verified: true, visibility: "private" },
];
const answers = (profile: object, list: unknown = emails): GivenAnswer[] => [
  { body: { ...octocat, ...profile } },
  { body: list },
];
const sent = {
  method: "GET",
  parameters: {},
  headers: { authorization: "Bearer {access}", "user-agent": "latchkey" },
} as const;

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    userInfo: "https://api.github.com/user",
    emails: "https://api.github.com/user/emails",
  },
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "read:user user:email configured requested",
    login_hint: "ann@example.com",
    prompt: "login",
  },
  exchange: exchangeOf({ verifier: true, headers: { accept: "application/json" } }),
  answer: {
    body: { access_token: "gho_access", token_type: "bearer", scope: "read:user,user:email" },
  },
  tokens: { tokenType: "bearer", accessToken: "gho_access", scopes: ["read:user", "user:email"] },
  reads: [
    { endpoint: "userInfo", sent, answer: { body: octocat } },
    { endpoint: "emails", sent, answer: { body: emails } },
  ],
  user: {
    id: "583231",
    name: "Mona Lisa Octocat",
    email: "mona@example.com",
    image: "https://avatars.githubusercontent.com/u/583231?v=4",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an address that the profile shows",
      answers: answers({ email: "old@example.com" }),
      user: { email: "old@example.com", emailVerified: true },
    },
    {
      case: "an unverified address that the profile shows",
      answers: answers({ email: "old@example.com" }, [
        { email: "old@example.com", primary: false, verified: false },
        { email: "mona@example.com", primary: true, verified: true },
      ]),
      user: { email: "old@example.com", emailVerified: false },
    },
    {
      case: "an address that the profile shows and the list does not",
      answers: answers({ email: "else@example.com" }),
      user: { email: "else@example.com", emailVerified: false },
    },
    {
      case: "an address in another letter case than the list",
      answers: answers({ email: "MONA@Example.com" }),
      user: { email: "mona@example.com", emailVerified: true },
    },
    {
      case: "addresses of which none is primary",
      answers: answers({}, [{ email: "first@example.com", primary: false, verified: false }]),
      user: { email: "first@example.com", emailVerified: false },
    },
    {
      case: "addresses that may not be seen",
      answers: [
        { body: octocat },
        { status: 403, body: { message: "Resource not accessible by integration" } },
      ],
      user: { id: "583231", email: undefined, emailVerified: false },
    },
    {
      case: "addresses that cannot be read",
      answers: [{ body: octocat }, { type: "text/html", body: "<html>" }],
      user: { id: "583231", email: undefined, emailVerified: false },
    },
    {
      case: "neither name nor picture",
      answers: answers({ name: null, avatar_url: null }),
      user: { name: "octocat", image: undefined },
    },
  ],
  refresh: {
    sent: {
      method: "POST",
      parameters: {
        grant_type: "refresh_token",
        refresh_token: "kept",
        client_id: "{client}",
        client_secret: "{secret}",
      },
    },
    answer: {
      body: {
        access_token: "ghu_next",
        expires_in: 28800,
        refresh_token: "ghr_next",
        refresh_token_expires_in: 15897600,
        scope: "",
        token_type: "bearer",
      },
    },
    tokens: { tokenType: "bearer", accessToken: "ghu_next", refreshToken: "ghr_next" },
  },
  errors: [
    {
      body: {
        error: "bad_verification_code",
        error_description: "The code passed is incorrect or expired.",
        error_uri: "https://docs.github.com/apps/troubleshooting",
      },
    },
  ],
};
