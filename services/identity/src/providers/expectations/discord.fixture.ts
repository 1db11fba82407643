import { type Expectation, codeFlow, exchangeOf, refreshOf } from "../expectation.fixture.ts";

const profile = {
  id: "80351110224678912",
  username: "nelly",
  global_name: "Nelly Bly",
  discriminator: "0",
  avatar: "8342729096ea3675442027381ff50dfe",
  banner: null,
  accent_color: 16711680,
  locale: "en-US",
  mfa_enabled: false,
  premium_type: 0,
  flags: 64,
  public_flags: 64,
  email: "Nelly@Example.com",
  verified: true,
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://discord.com/api/oauth2/authorize",
    token: "https://discord.com/api/oauth2/token",
    userInfo: "https://discord.com/api/users/@me",
    revoke: "https://discord.com/api/oauth2/token/revoke",
  },
  authorization: { ...codeFlow, scope: "identify email requested configured", prompt: "login" },
  variants: [
    {
      case: "no prompt is configured",
      options: { prompt: undefined },
      authorization: { prompt: "none" },
    },
    {
      case: "permissions of a bot",
      options: { scope: ["bot"], permissions: 2048 },
      authorization: { scope: "identify email requested bot", permissions: "2048" },
    },
    {
      case: "a bot without permissions",
      options: { scope: ["bot"], permissions: 0 },
      authorization: { scope: "identify email requested bot", permissions: "0" },
    },
    { case: "permissions without a bot", options: { permissions: 2048 } },
  ],
  exchange: exchangeOf(),
  answer: {
    body: {
      token_type: "Bearer",
      access_token: "6qrZcUqja7812RVdnEKjpzOL4CvHBFG",
      expires_in: 604_800,
      refresh_token: "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
      scope: "identify email",
    },
  },
  tokens: {
    tokenType: "Bearer",
    accessToken: "6qrZcUqja7812RVdnEKjpzOL4CvHBFG",
    refreshToken: "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
    scopes: ["identify", "email"],
  },
  expiresIn: { access: 604_800 },
  reads: [
    {
      endpoint: "userInfo",
      sent: { method: "GET", parameters: {}, headers: { authorization: "Bearer {access}" } },
      answer: { body: profile },
    },
  ],
  user: {
    id: "80351110224678912",
    name: "Nelly Bly",
    email: "nelly@example.com",
    image:
      "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an animated picture",
      answers: [{ body: { ...profile, avatar: "a_1269e74af4df7417b13759eae50c83dc" } }],
      user: {
        image:
          "https://cdn.discordapp.com/avatars/80351110224678912/a_1269e74af4df7417b13759eae50c83dc.gif",
      },
    },
    {
      case: "no picture",
      answers: [{ body: { ...profile, avatar: null } }],
      user: { image: "https://cdn.discordapp.com/embed/avatars/5.png" },
    },
    {
      case: "no picture and an older name",
      answers: [{ body: { ...profile, avatar: null, global_name: null, discriminator: "1337" } }],
      user: { name: "nelly", image: "https://cdn.discordapp.com/embed/avatars/2.png" },
    },
    {
      case: "an address that is not verified",
      answers: [{ body: { ...profile, verified: false } }],
      user: { email: "nelly@example.com", emailVerified: false },
    },
    {
      case: "no address",
      answers: [{ body: { ...profile, email: null, verified: false } }],
      user: { email: undefined, emailVerified: false },
    },
    {
      case: "nothing but an id",
      answers: [{ body: { id: profile.id } }],
      user: { id: profile.id, name: undefined, email: undefined, emailVerified: false },
    },
    {
      case: "an id that is not in Discord's form",
      answers: [{ body: { ...profile, id: "nelly", avatar: null } }],
      user: undefined,
    },
    {
      case: "a refused access token",
      answers: [{ status: 401, body: { message: "401: Unauthorized", code: 0 } }],
      user: undefined,
    },
    {
      case: "a page in place of a profile",
      answers: [{ type: "text/html", body: "<!doctype html><title>Discord</title>" }],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: {
        token_type: "Bearer",
        access_token: "vJ0ZK0VkCpPfsVmVQmVvYdmqv3rcyb",
        expires_in: 604_800,
        refresh_token: "mgp8qnvBwJcmadwgCYKyYD5CAzGAX4",
        scope: "identify email",
      },
    },
    tokens: {
      tokenType: "Bearer",
      accessToken: "vJ0ZK0VkCpPfsVmVQmVvYdmqv3rcyb",
      refreshToken: "mgp8qnvBwJcmadwgCYKyYD5CAzGAX4",
      scopes: ["identify", "email"],
    },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: 'Invalid "code" in request.' },
    },
    {
      status: 429,
      body: { message: "You are being rate limited.", retry_after: 64.57, global: false },
    },
  ],
};
