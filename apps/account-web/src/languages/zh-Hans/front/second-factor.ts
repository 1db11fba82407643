import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
  title: "请确认是您本人",
  app: {
    label: "身份验证器验证码",
    hint: "请输入身份验证器应用中的验证码。",
    use: "使用身份验证器应用",
  },
  mail: {
    label: "邮件验证码",
    hint: "我们会通过邮件向您发送验证码。验证码在几分钟内有效。",
    use: "使用邮件验证码",
    send: "通过邮件发送验证码",
    sent: "验证码即将送达您的收件箱。",
    resend: "重新发送验证码",
  },
  backup: {
    label: "备用验证码",
    hint: "请输入您保存的一个备用验证码。每个只能使用一次。",
    use: "使用备用验证码",
  },
  trust: "信任此浏览器",
  submit: "确认",
  expired: "此次登录已过期。请重新登录。",
  tooMany: "错误的验证码过多。请重新登录。",
  enrolment: {
    title: "设置双重验证",
    text: "您的账户必须使用双重验证。请设置身份验证器应用以继续。",
    action: "设置应用",
  },
};
