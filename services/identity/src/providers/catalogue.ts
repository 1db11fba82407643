import type { KnownProviderId, KnownProviderOptions } from "@latchkey/contracts";
import { apple } from "./catalogue/apple.ts";
import { atlassian } from "./catalogue/atlassian.ts";
import { cognito } from "./catalogue/cognito.ts";
import { discord } from "./catalogue/discord.ts";
import { dropbox } from "./catalogue/dropbox.ts";
import { facebook } from "./catalogue/facebook.ts";
import { figma } from "./catalogue/figma.ts";
import { github } from "./catalogue/github.ts";
import { gitlab } from "./catalogue/gitlab.ts";
import { google } from "./catalogue/google.ts";
import { huggingface } from "./catalogue/huggingface.ts";
import { kakao } from "./catalogue/kakao.ts";
import { kick } from "./catalogue/kick.ts";
import { line } from "./catalogue/line.ts";
import { linear } from "./catalogue/linear.ts";
import { linkedin } from "./catalogue/linkedin.ts";
import { microsoft } from "./catalogue/microsoft.ts";
import { naver } from "./catalogue/naver.ts";
import { notion } from "./catalogue/notion.ts";
import { paybin } from "./catalogue/paybin.ts";
import { paypal } from "./catalogue/paypal.ts";
import { polar } from "./catalogue/polar.ts";
import { railway } from "./catalogue/railway.ts";
import { reddit } from "./catalogue/reddit.ts";
import { roblox } from "./catalogue/roblox.ts";
import { salesforce } from "./catalogue/salesforce.ts";
import { slack } from "./catalogue/slack.ts";
import { spotify } from "./catalogue/spotify.ts";
import { tiktok } from "./catalogue/tiktok.ts";
import { twitch } from "./catalogue/twitch.ts";
import { twitter } from "./catalogue/twitter.ts";
import { vercel } from "./catalogue/vercel.ts";
import { vk } from "./catalogue/vk.ts";
import { wechat } from "./catalogue/wechat.ts";
import { zoom } from "./catalogue/zoom.ts";
import type { ProviderDefinition } from "./provider.ts";

/** The known providers, by id. Each needs nothing but credentials. */
export const catalogue: {
  readonly [Id in KnownProviderId]: (options: KnownProviderOptions<Id>) => ProviderDefinition;
} = {
  apple,
  atlassian,
  cognito,
  discord,
  dropbox,
  facebook,
  figma,
  github,
  gitlab,
  google,
  huggingface,
  kakao,
  kick,
  line,
  linear,
  linkedin,
  microsoft,
  naver,
  notion,
  paybin,
  paypal,
  polar,
  railway,
  reddit,
  roblox,
  salesforce,
  slack,
  spotify,
  tiktok,
  twitch,
  twitter,
  vercel,
  vk,
  wechat,
  zoom,
};
