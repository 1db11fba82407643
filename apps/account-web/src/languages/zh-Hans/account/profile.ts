import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "您的账户",
  signedInAs: "您已以 {{email}} 的身份登录。",
  you: {
    title: "个人资料",
    text: "与您协作的人会看到您的姓名。",
    name: "姓名",
    image: "头像",
    imageHint: "图片的地址，例如 https://example.com/me.png。",
    imageFault: "请输入以 https:// 开头的地址。",
    username: "用户名",
    save: "保存",
    saved: "个人资料已保存。",
  },
  email: {
    title: "电子邮件地址",
    verified: "已验证",
    unverified: "未验证",
    resend: "重新发送验证邮件",
    resent: "我们已向 {{email}} 发送链接。",
    change: "更改电子邮件地址",
    newEmail: "新电子邮件地址",
    enterEmail: "请输入类似 name@example.com 的电子邮件地址。",
    confirmText: "我们会向您当前的电子邮件地址发送链接。请打开链接以确认更改。",
    atOnceText: "我们会向新的电子邮件地址发送用于验证的链接。",
    changed: "电子邮件地址已更改。请打开我们发送到该地址的链接。",
    send: "发送链接",
    requested: "链接即将送达您当前的电子邮件地址。",
  },
};
