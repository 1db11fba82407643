import {
  type Expectation,
  type GivenAnswer,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const ann = {
  id: 1,
  username: "ann_example",
  name: "Ann Example",
  state: "active",
  locked: false,
  avatar_url: "https://gitlab.com/uploads/-/system/user/avatar/1/avatar.png",
  web_url: "https://gitlab.com/ann_example",
  created_at: "2012-05-23T08:00:58Z",
  bio: "",
  public_email: "",
  last_sign_in_at: "2012-06-01T11:41:01Z",
  confirmed_at: "2012-05-23T09:05:22Z",
  email: "ann@example.com",
  two_factor_enabled: true,
};
const answers = (profile: object): GivenAnswer[] => [{ body: { ...ann, ...profile } }];
const at = (base: string) => ({
  authorization: `${base}/oauth/authorize`,
  token: `${base}/oauth/token`,
  userInfo: `${base}/api/v4/user`,
  jwks: `${base}/oauth/discovery/keys`,
  revoke: `${base}/oauth/revoke`,
});

export const expectation: Expectation = {
  endpoints: at("https://gitlab.com"),
  authorization: {
    ...codeFlow,
    ...withChallenge,
    scope: "read_user configured requested",
    login_hint: "ann@example.com",
  },
  variants: [
    {
      case: "openid is asked for",
      options: { scope: ["openid"] },
      authorization: { scope: "read_user openid requested", nonce: "{nonce}" },
    },
    {
      case: "a self-hosted instance",
      options: { issuer: "https://git.example.com" },
      endpoints: at("https://git.example.com"),
    },
    {
      case: "an instance below a path, with a slash too many",
      options: { issuer: "https://example.com/git/" },
      endpoints: at("https://example.com/git"),
    },
  ],
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token: "de6780bc506a",
      token_type: "Bearer",
      expires_in: 7200,
      refresh_token: "8257e65c9770",
      scope: "read_user",
      created_at: 1607635748,
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "de6780bc506a",
    refreshToken: "8257e65c9770",
    scopes: ["read_user"],
  },
  expiresIn: { access: 7200 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: ann },
    },
  ],
  user: {
    id: "1",
    name: "Ann Example",
    email: "ann@example.com",
    image: "https://gitlab.com/uploads/-/system/user/avatar/1/avatar.png",
    emailVerified: false,
    mapped: {},
  },
  others: [
    {
      case: "an address that the instance vouches for",
      answers: answers({ email_verified: true }),
      user: { email: "ann@example.com", emailVerified: true },
    },
    {
      case: "neither name, address nor picture",
      answers: answers({ name: "", email: null, avatar_url: null }),
      user: { name: "ann_example", email: undefined, image: undefined, emailVerified: false },
    },
    { case: "a blocked user", answers: answers({ state: "blocked" }), user: undefined },
    { case: "a locked user", answers: answers({ locked: true }), user: undefined },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        access_token: "c97d1fe52119",
        token_type: "bearer",
        expires_in: 7200,
        refresh_token: "803c1fd487fe",
      },
    },
    tokens: { tokenType: "bearer", accessToken: "c97d1fe52119", refreshToken: "803c1fd487fe" },
  },
};
