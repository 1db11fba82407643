import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "创建您的账户",
  lead: "以继续使用 {{name}}",
  name: "姓名",
  enterName: "请输入您的姓名。",
  username: "用户名（选填）",
  submit: "创建账户",
  hasAccount: "已有账户？",
  signIn: "登录",
  closed: {
    title: "注册已关闭",
    text: "只有受邀者才能创建账户。",
  },
  mailed: {
    title: "请查看收件箱",
    text: "我们已向 {{email}} 发送链接。请打开链接以验证您的电子邮件地址，然后登录。",
  },
};
