import * as headgate from 'headgate'
import * as gate from 'headgate/gate'
import * as testing from 'headgate/testing'
import * as opentelemetry from 'headgate/opentelemetry'

export const entries = [headgate, gate, testing, opentelemetry]
