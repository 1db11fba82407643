import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "加入 {{organization}}",
  text: "{{inviter}} 邀请您以 {{role}} 角色加入。",
  accept: "接受邀请",
  decline: "拒绝",
  accepted: "您现在是 {{organization}} 的成员。",
  declined: "您已拒绝邀请。",
  signedOut: {
    title: "您收到了邀请",
    text: "请使用收到邀请的电子邮件地址登录，或使用该地址创建账户。",
    signIn: "登录",
    signUp: "创建账户",
  },
  other: {
    title: "此邀请是发给其他电子邮件地址的",
    text: "您当前以 {{email}} 的身份登录。请使用收到邀请的电子邮件地址登录。",
    signOut: "使用其他账户",
  },
  unverified: {
    title: "请先验证您的电子邮件地址",
    text: "只有 {{email}} 的所有者才能查看此邀请。我们会向您发送一个链接，打开后即可返回此处。",
    send: "发送链接",
    sent: "链接已发出。请在此浏览器中打开。",
  },
  gone: {
    title: "此邀请已失效",
    text: "邀请已被答复、撤回或已过期。请对方重新邀请您。",
  },
};
