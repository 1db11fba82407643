import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const person = {
  object: "user",
  id: "d40e767c-d7af-4b18-a86d-55c61f1e39a4",
  name: "Avocado Lovelace",
  avatar_url: "https://s3.example.com/secure.notion-static.com/avocado.jpg",
  type: "person",
  person: { email: "avo@example.org" },
};

const answerOf = (owner: unknown) => ({
  body: {
    object: "user",
    id: "16d84278-ab0e-484c-9bdd-b35da3bd8905",
    name: "Latchkey",
    avatar_url: null,
    type: "bot",
    bot: { owner, workspace_name: "Ada Lovelace’s Notion" },
  },
});

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://api.notion.com/v1/oauth/authorize",
    token: "https://api.notion.com/v1/oauth/token",
    userInfo: "https://api.notion.com/v1/users/me",
  },
  authorization: {
    ...codeFlow,
    scope: "configured requested",
    owner: "user",
    login_hint: "ann@example.com",
  },
  exchange: exchangeOf({ client: "basic" }),
  answer: {
    body: {
      access_token: "ntn_access",
      token_type: "bearer",
      refresh_token: "nrt_refresh",
      bot_id: "16d84278-ab0e-484c-9bdd-b35da3bd8905",
      workspace_icon: null,
      workspace_name: "Ada Lovelace’s Notion",
      workspace_id: "b9c9c9c9-1111-2222-3333-444444444444",
      owner: { type: "user", user: person },
      duplicated_template_id: null,
      request_id: "5b2b1e1f-1111-2222-3333-444444444444",
    },
  },
  tokens: { tokenType: "bearer", accessToken: "ntn_access", refreshToken: "nrt_refresh" },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "GET",
        parameters: {},
        headers: { authorization: "Bearer {access}", "notion-version": "2022-06-28" },
      },
      answer: answerOf({ type: "user", user: person }),
    },
  ],
  user: {
    id: "d40e767c-d7af-4b18-a86d-55c61f1e39a4",
    name: "Avocado Lovelace",
    email: "avo@example.org",
    image: "https://s3.example.com/secure.notion-static.com/avocado.jpg",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "the integration may not see addresses",
      answers: [answerOf({ type: "user", user: { ...person, person: {}, avatar_url: null } })],
      user: { email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "only the id",
      answers: [answerOf({ type: "user", user: { object: "user", id: person.id } })],
      user: { id: person.id, name: undefined, email: undefined },
    },
    {
      case: "the bot is a workspace's",
      answers: [answerOf({ type: "workspace", workspace: true })],
      user: undefined,
    },
    { case: "there is no bot", answers: [{ body: person }], user: undefined },
    {
      case: "the token is refused",
      answers: [{ status: 401, body: { object: "error", status: 401, code: "unauthorized" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf({ client: "basic" }),
    answer: {
      body: { access_token: "ntn_access-2", token_type: "bearer", refresh_token: "nrt_refresh-2" },
    },
    tokens: { tokenType: "bearer", accessToken: "ntn_access-2", refreshToken: "nrt_refresh-2" },
  },
  errors: [
    { status: 400, body: { error: "invalid_grant", request_id: "5b2b1e1f" } },
    { status: 401, body: { object: "error", status: 401, code: "unauthorized" } },
  ],
};
