import type { Translation } from "../../messages.ts";

export const links: Translation<"front", "links"> = {
  toSignIn: "前往登录",
  verifyEmail: {
    title: "您的电子邮件地址已验证",
    text: "您现在可以继续。",
    failed: "链接已被使用或已过期。如果您的电子邮件地址尚未验证，请获取新链接。",
    send: "发送新链接",
    sent: "如果此电子邮件地址尚未验证，新链接即将送达。",
  },
  verifyEmailOpen: {
    title: "请验证您的电子邮件地址",
    text: "请打开我们发送给您的邮件中的链接，或获取新链接。",
  },
  changeEmail: {
    title: "链接已生效",
    text: "如果还需要第二封邮件，我们已将其链接发送给您。否则，您的电子邮件地址已更改。",
  },
  changeEmailFailed: {
    title: "您的电子邮件地址未更改",
    text: "链接已被使用、已过期，或需要您先登录。请登录，然后再次更改电子邮件地址。",
  },
  deleteAccount: {
    title: "您的账户已删除",
    text: "您的所有数据均已删除。您可以关闭此页面。",
  },
  deleteAccountOpen: {
    title: "这里没有删除任何内容",
    text: "您可以在数据页面删除您的账户。",
    action: "前往您的数据",
  },
  deleteAccountFailed: {
    title: "您的账户未删除",
    text: "链接已被使用、已过期，或需要您先登录。请登录，然后再次删除账户。",
  },
  done: {
    title: "此处无需其他操作",
    text: "如果您是通过邮件中的链接来到这里的，则链接已生效。",
  },
  returned: {
    title: "您已登录",
    text: "应用已将您送回此页面。请继续前往应用，或关闭此页面。",
  },
  failures: {
    link: {
      title: "此链接无效",
      text: "链接已被使用或已过期。请在登录页面获取新链接。",
    },
    cancelled: {
      title: "登录已取消",
      text: "未发生任何更改。请重试，或使用其他方式登录。",
    },
    notLinked: {
      title: "此账户未关联",
      text: "此电子邮件地址已有账户。请使用其他方式登录该账户，然后关联此提供商。",
    },
    noAccount: {
      title: "您还没有账户",
      text: "此方式不会创建账户。请使用其他方式登录，或请对方邀请您。",
    },
    blocked: {
      title: "此账户已被封禁",
      text: "您无法登录。如果您认为这是误判，请联系客服。",
    },
    noEmail: {
      title: "提供商未分享您的电子邮件地址",
      text: "请允许其分享您的电子邮件地址后重试，或使用其他方式登录。",
    },
    unverified: {
      title: "请先验证您的电子邮件地址",
      text: "请打开我们发送给您的邮件中的链接，然后登录。",
    },
    address: {
      title: "无法返回原页面",
      text: "将您带到这里的页面提供了不允许使用的地址。",
    },
    other: {
      title: "登录失败",
      text: "请重试。如果问题仍然存在，请使用其他方式登录或联系客服。",
    },
  },
};
