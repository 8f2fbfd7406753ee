import headgate = require('headgate')
import gate = require('headgate/gate')
import testing = require('headgate/testing')
import planning = require('headgate/planning')
import opentelemetry = require('headgate/opentelemetry')

export const entries = [headgate, gate, testing, planning, opentelemetry]
