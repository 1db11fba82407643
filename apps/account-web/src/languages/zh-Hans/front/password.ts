import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "新密码",
  hint_other: "至少 {{count}} 个字符。",
  tooShort_other: "请至少使用 {{count}} 个字符。",
  tooLong: "请设置更短的密码。",
  backToSignIn: "返回登录",
  forgot: {
    title: "重置密码",
    text: "请输入您的电子邮件地址。我们会向您发送用于设置新密码的链接。",
    submit: "发送链接",
  },
  sent: {
    title: "请查看收件箱",
    text: "如果 {{email}} 在此处有账户，链接即将送达。链接只能使用一次，且有效时间较短。",
  },
  reset: { title: "设置新密码", submit: "保存密码" },
  changed: {
    title: "您的密码已更改",
    text: "请使用新密码登录。",
    signIn: "登录",
  },
  linkFailed: {
    title: "此链接无效",
    text: "链接已被使用或已过期。请重新获取。",
    again: "获取新链接",
  },
};
