import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  type SQSClient,
} from '../stand-ins/client-sqs.ts'
import { refusalBehind, retryAfterOf } from './refusal.ts'

const LONGEST_S = 43_200

/** Works off one message; one that is refused becomes visible again when it is worth trying. */
export async function workOff(
  sqs: SQSClient,
  QueueUrl: string,
  message: Message,
  work: (body: string) => Promise<void>,
) {
  const { ReceiptHandle, Body = '' } = message
  try {
    await work(Body)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
  } catch (error) {
    const refusal = refusalBehind(error)
    if (refusal?.retryAfterMs === undefined) throw error
    const VisibilityTimeout = Math.min(LONGEST_S, Number(retryAfterOf(refusal)))
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }))
  }
}
