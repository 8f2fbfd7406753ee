import type { ArgumentsHost } from '../stand-ins/nestjs-common.ts'
import { BaseExceptionFilter } from '../stand-ins/nestjs-core.ts'
import type { Response } from 'express'
import { refusalBehind, retryAfterOf } from './refusal.ts'

/** `app.useGlobalFilters(new RefusalFilter(app.getHttpAdapter()))` */
export class RefusalFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    const refusal = refusalBehind(error)
    const response = host.switchToHttp().getResponse<Response>()
    // oxlint-disable-next-line promise/valid-params -- it is no promise's
    if (refusal === undefined || response.headersSent) return super.catch(error, host)
    response.status(503).set('retry-after', retryAfterOf(refusal)).json({ error: refusal.code })
  }
}
