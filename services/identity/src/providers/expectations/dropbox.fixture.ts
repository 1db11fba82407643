import {
  type Expectation,
  codeFlow,
  exchangeOf,
  refreshOf,
  withChallenge,
} from "../expectation.fixture.ts";

const profile = {
  account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
  account_type: { ".tag": "basic" },
  country: "US",
  disabled: false,
  email: "franz@example.com",
  email_verified: true,
  is_paired: false,
  locale: "en",
  name: {
    abbreviated_name: "FF",
    display_name: "Franz Ferdinand",
    familiar_name: "Franz",
    given_name: "Franz",
    surname: "Ferdinand",
  },
  profile_photo_url:
    "https://dl-web.dropbox.com/account_photo/get/dbaphid%3AAAHWGmIXV3s?size=128x128",
  referral_link: "https://db.tt/ZITNuhtI",
};

export const expectation: Expectation = {
  endpoints: {
    authorization: "https://www.dropbox.com/oauth2/authorize",
    token: "https://api.dropboxapi.com/oauth2/token",
    userInfo: "https://api.dropboxapi.com/2/users/get_current_account",
  },
  authorization: { ...codeFlow, ...withChallenge, scope: "account_info.read configured requested" },
  variants: (["offline", "online", "legacy"] as const).map((accessType) => ({
    case: `access that is ${accessType}`,
    options: { accessType },
    authorization: { token_access_type: accessType },
  })),
  exchange: exchangeOf({ verifier: true }),
  answer: {
    body: {
      access_token:
        "sl.AbX9y6Fe3AuH5o66-gmJpR032jwAwQPIVVzWXZNkdzcYT02akC2de219dZi6gxYPVnYPrpvISRSf9lxKWJzYLjtMPH",
      token_type: "bearer",
      expires_in: 14_400,
      refresh_token: "nBiM85CZALsAAAAAAAAAAQXHBoNpNutK4ngsXHsqW4iGz9tisb3JyjGqikMJIYbd",
      scope: "account_info.read",
      uid: "12345",
      account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
    },
  },
  tokens: {
    tokenType: "bearer",
    accessToken:
      "sl.AbX9y6Fe3AuH5o66-gmJpR032jwAwQPIVVzWXZNkdzcYT02akC2de219dZi6gxYPVnYPrpvISRSf9lxKWJzYLjtMPH",
    refreshToken: "nBiM85CZALsAAAAAAAAAAQXHBoNpNutK4ngsXHsqW4iGz9tisb3JyjGqikMJIYbd",
    scopes: ["account_info.read"],
  },
  expiresIn: { access: 14_400 },
  reads: [
    {
      endpoint: "userInfo",
      sent: {
        method: "POST",
        parameters: {},
        // Dropbox rejects a content type without content.
        headers: { authorization: "Bearer {access}", "content-type": undefined },
      },
      answer: { body: profile },
    },
  ],
  user: {
    id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
    name: "Franz Ferdinand",
    email: "franz@example.com",
    image: "https://dl-web.dropbox.com/account_photo/get/dbaphid%3AAAHWGmIXV3s?size=128x128",
    emailVerified: true,
    mapped: {},
  },
  others: [
    {
      case: "an address that is not verified",
      answers: [{ body: { ...profile, email_verified: false } }],
      user: { email: "franz@example.com", emailVerified: false },
    },
    {
      case: "nothing said of the address",
      answers: [{ body: { ...profile, email_verified: undefined } }],
      user: { email: "franz@example.com", emailVerified: false },
    },
    {
      case: "neither name, address nor picture",
      answers: [{ body: { account_id: profile.account_id } }],
      user: { name: undefined, email: undefined, image: undefined, emailVerified: false },
    },
    {
      case: "no name to show",
      answers: [{ body: { ...profile, name: { given_name: "Franz" } } }],
      user: { name: undefined, email: "franz@example.com" },
    },
    {
      case: "no id",
      answers: [{ body: { ...profile, account_id: undefined } }],
      user: undefined,
    },
    {
      case: "a refused access token",
      answers: [
        {
          status: 401,
          body: {
            error_summary: "expired_access_token/",
            error: { ".tag": "expired_access_token" },
          },
        },
      ],
      user: undefined,
    },
  ],
  refresh: {
    sent: refreshOf(),
    answer: {
      body: { access_token: "sl.Bcd0-renewed", token_type: "bearer", expires_in: 14_400 },
    },
    tokens: { tokenType: "bearer", accessToken: "sl.Bcd0-renewed" },
  },
  errors: [
    {
      status: 400,
      body: { error: "invalid_grant", error_description: "code doesn't exist or has expired" },
    },
    { status: 400, type: "text/plain", body: "Error in call to API function" },
  ],
};
