import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The Simplified Chinese texts of the pages of mailed links. Readers are addressed as "您". */
export const pages: Translated<typeof english> = {
  ignore: "如果这不是您的请求，请关闭此页面：没有任何更改。",
  change: {
    title: "确认您的新电子邮件地址",
    text: "您在 {app} 的账户将使用 {newEmail}，而不再使用 {email}。",
    button: "更改电子邮件地址",
  },
  delete: {
    title: "删除您的账户",
    text: "您在 {app} 的账户 {email} 将被永久删除。",
    button: "删除账户",
  },
  signIn: {
    title: "登录 {app}",
    text: "这将使此浏览器登录 {app} 的账户 {email}。",
    button: "登录",
  },
  signInClaim: {
    title: "登录 {app}",
    text: "{app} 的此账户从未确认过 {email}，可能由他人注册。通过此链接登录将移除：",
    password: "密码",
    accounts: "关联的账户",
    passkeys: "通行密钥",
    secondFactor: "第二重验证",
    phoneNumber: "电话号码",
    rest: "所有其他设备都将退出登录，API 密钥将失效。",
    choose: "之后，您可通过另一封邮件设置新密码。",
    instead:
      "此账户属于您，并且您知道密码？请使用密码登录，并在个人资料中确认电子邮件地址。这样不会移除任何内容。",
    toSignIn: "使用密码登录",
    button: "移除并登录",
  },
  signInElsewhere: {
    title: "请在另一个浏览器中打开此链接",
    text: "此链接用于登录 {app} 的账户 {email}。它仅在您请求它的浏览器中有效。",
  },
  undo: {
    title: "撤销电子邮件地址的更改",
    text: "您在 {app} 的账户将重新使用 {email}，而不再使用 {newEmail}。所有设备都将退出登录，您将设置新密码。",
    button: "撤销更改",
  },
  verify: {
    title: "验证您的电子邮件地址",
    text: "这将为 {app} 的账户验证 {email}。",
    button: "验证电子邮件地址",
  },
  verifyAndSignIn: {
    title: "验证您的电子邮件地址",
    text: "这将为 {app} 的账户验证 {email}，并使此浏览器登录该账户。",
    button: "验证并登录",
  },
  verified: {
    title: "您的电子邮件地址已验证",
    text: "您可以关闭此页面。",
  },
  deleted: {
    title: "您的账户已删除",
    text: "您可以关闭此页面。",
  },
  signedIn: {
    title: "您已登录",
    text: "您可以关闭此页面。",
  },
  undone: {
    title: "您的电子邮件地址已恢复",
    text: "所有设备均已退出登录。一封包含设置新密码链接的邮件即将送达。",
  },
  expired: {
    title: "此链接已过期",
    text: "请在应用中获取新链接。",
  },
  signedOut: {
    title: "请先登录",
    text: "请在此浏览器中登录您的账户，然后再次打开链接。",
  },
  notGood: {
    title: "此链接无法使用",
    text: "它已被使用、已被替换或不完整。请在应用中获取新链接。",
  },
};
