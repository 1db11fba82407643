import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const user = {
  user_id: "1234567890",
  first_name: "Ivan",
  last_name: "Ivanov",
  phone: "79991234567",
  avatar: "https://sun1-1.userapi.com/s/v1/ig2/avatar.jpg?size=50x50",
  email: "ivan@example.com",
  sex: 2,
  verified: true,
  birthday: "01.01.2000",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://id.vk.com/authorize",
    token: "https://id.vk.com/oauth2/auth",
    userInfo: "https://id.vk.com/oauth2/user_info",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "email phone configured requested" },
  variants: [
    {
      case: "an appearance of the page",
      options: { lang_id: "3", scheme: "dark" },
      authorization: { lang_id: "3", scheme: "dark" },
    },
  ],
  callback: { device_id: "mvqMBzHEgg6PIc_0TRoGqg", type: "code_v2" },
  exchange: exchangeOf({ verifier: true, parameters: { device_id: "mvqMBzHEgg6PIc_0TRoGqg" } }),
  answer: {
    body: {
      refresh_token: "vk2.a.refresh",
      access_token: "vk2.a.access",
      id_token: "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.not-ours-to-read.signature",
      token_type: "Bearer",
      expires_in: 3_600,
      user_id: 1_234_567_890,
      state: "xxx",
      scope: "email phone",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "vk2.a.access",
    refreshToken: "vk2.a.refresh",
    scopes: ["email", "phone"],
  },
  expiresIn: { access: 3_600 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "POST",
        parameters: { access_token: "{access}", client_id: "{client}" },
        headers: { authorization: undefined },
      },
      answer: { body: { user } },
    },
  ],
  user: {
    id: "1234567890",
    name: "Ivan Ivanov",
    email: "ivan@example.com",
    image: "https://sun1-1.userapi.com/s/v1/ig2/avatar.jpg?size=50x50",
    emailVerified: false,
    mapped: { first_name: "Ivan", last_name: "Ivanov", birthday: "01.01.2000", sex: 2 },
  },
  others: [
    {
      case: "an id as a number",
      answers: [{ body: { user: { ...user, user_id: 1_234_567_890 } } }],
      user: { id: "1234567890" },
    },
    {
      case: "a first name alone, and no picture",
      answers: [{ body: { user: { ...user, last_name: "", avatar: undefined } } }],
      user: { name: "Ivan", image: undefined },
    },
    {
      case: "no names",
      answers: [{ body: { user: { ...user, first_name: undefined, last_name: undefined } } }],
      user: { name: undefined, email: "ivan@example.com" },
    },
    {
      case: "no address",
      answers: [{ body: { user: { ...user, email: undefined } } }],
      user: undefined,
    },
    {
      case: "an empty address",
      answers: [{ body: { user: { ...user, email: "" } } }],
      user: undefined,
    },
    {
      case: "an address of the application's own mapping",
      options: { mapProfileToUser: () => ({ email: "ivan@app.example" }) },
      answers: [{ body: { user: { ...user, email: undefined } } }],
      user: { email: "ivan@app.example", emailVerified: false },
    },
    {
      case: "invalid members other than names",
      answers: [{ body: { user: { ...user, birthday: 5, sex: "text" } } }],
      user: { id: "1234567890", mapped: { first_name: "Ivan", last_name: "Ivanov" } },
    },
    {
      case: "the result of the application's own mapping",
      options: { mapProfileToUser: () => ({ sex: undefined, birthday: "2000-01-01" }) },
      user: {
        mapped: {
          first_name: "Ivan",
          last_name: "Ivanov",
          birthday: "2000-01-01",
          sex: undefined,
        },
      },
    },
    {
      case: "an error in place of a user",
      answers: [{ body: { error: "invalid_token", error_description: "access_token is invalid" } }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        refresh_token: "vk2.a.refresh-renewed",
        access_token: "vk2.a.renewed",
        token_type: "Bearer",
        expires_in: 3_600,
        user_id: 1_234_567_890,
        state: "xxx",
        scope: "email phone",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "vk2.a.renewed",
      refreshToken: "vk2.a.refresh-renewed",
      scopes: ["email", "phone"],
    },
  },
  errors: [
    { status: 200, body: { error: "invalid_grant", error_description: "code is expired" } },
    { status: 200, body: { error: "invalid_request", error_description: "device_id is missing" } },
  ],
};
