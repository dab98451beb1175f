import type { Template } from "./template.ts";

/**
 * On AWS, `Ref` of a secret is its ARN. On MiniStack it is the name (provisioners.py, _sm_secret_create),
 * which matches no policy. The attribute `Id` is the ARN on both.
 */
export function withSecretArns(template: Template): Template {
  let text = JSON.stringify(template);
  for (const [id, { Type }] of Object.entries(template.Resources)) {
    if (Type === "AWS::SecretsManager::Secret") {
      text = text.replaceAll(JSON.stringify({ Ref: id }), JSON.stringify({ "Fn::GetAtt": [id, "Id"] }));
    }
  }
  return JSON.parse(text);
}
