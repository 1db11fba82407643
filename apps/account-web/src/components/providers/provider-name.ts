const names: Readonly<Record<string, string>> = {
  facebook: "Facebook",
  github: "GitHub",
  gitlab: "GitLab",
  huggingface: "Hugging Face",
  linkedin: "LinkedIn",
  paypal: "PayPal",
  tiktok: "TikTok",
  twitter: "X",
  vk: "VK",
  wechat: "WeChat",
};

/** Returns the name of a provider for users: its configured one, or the usual spelling of its id. */
export const providerName = ({ id, name }: { id: string; name?: string | undefined }): string =>
  name ??
  (Object.hasOwn(names, id) ? names[id] : undefined) ??
  id.charAt(0).toUpperCase() + id.slice(1);
