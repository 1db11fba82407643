import type { KnownProviderId } from "@latchkey/contracts";
import type { Expectation } from "./expectation.fixture.ts";
import { expectation as apple } from "./expectations/apple.fixture.ts";
import { expectation as atlassian } from "./expectations/atlassian.fixture.ts";
import { expectation as cognito } from "./expectations/cognito.fixture.ts";
import { expectation as discord } from "./expectations/discord.fixture.ts";
import { expectation as dropbox } from "./expectations/dropbox.fixture.ts";
import { expectation as facebook } from "./expectations/facebook.fixture.ts";
import { expectation as figma } from "./expectations/figma.fixture.ts";
import { expectation as github } from "./expectations/github.fixture.ts";
import { expectation as gitlab } from "./expectations/gitlab.fixture.ts";
import { expectation as google } from "./expectations/google.fixture.ts";
import { expectation as huggingface } from "./expectations/huggingface.fixture.ts";
import { expectation as kakao } from "./expectations/kakao.fixture.ts";
import { expectation as kick } from "./expectations/kick.fixture.ts";
import { expectation as line } from "./expectations/line.fixture.ts";
import { expectation as linear } from "./expectations/linear.fixture.ts";
import { expectation as linkedin } from "./expectations/linkedin.fixture.ts";
import { expectation as microsoft } from "./expectations/microsoft.fixture.ts";
import { expectation as naver } from "./expectations/naver.fixture.ts";
import { expectation as notion } from "./expectations/notion.fixture.ts";
import { expectation as paybin } from "./expectations/paybin.fixture.ts";
import { expectation as paypal } from "./expectations/paypal.fixture.ts";
import { expectation as polar } from "./expectations/polar.fixture.ts";
import { expectation as railway } from "./expectations/railway.fixture.ts";
import { expectation as reddit } from "./expectations/reddit.fixture.ts";
import { expectation as roblox } from "./expectations/roblox.fixture.ts";
import { expectation as salesforce } from "./expectations/salesforce.fixture.ts";
import { expectation as slack } from "./expectations/slack.fixture.ts";
import { expectation as spotify } from "./expectations/spotify.fixture.ts";
import { expectation as tiktok } from "./expectations/tiktok.fixture.ts";
import { expectation as twitch } from "./expectations/twitch.fixture.ts";
import { expectation as twitter } from "./expectations/twitter.fixture.ts";
import { expectation as vercel } from "./expectations/vercel.fixture.ts";
import { expectation as vk } from "./expectations/vk.fixture.ts";
import { expectation as wechat } from "./expectations/wechat.fixture.ts";
import { expectation as zoom } from "./expectations/zoom.fixture.ts";

/** The expected protocol of each provider of the catalogue. */
export const expectations: Readonly<Record<KnownProviderId, Expectation>> = {
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
